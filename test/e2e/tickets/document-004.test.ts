import type { Program, Reply } from '@baton/testkit';
import { expect, test } from 'vitest';
import { PlanWorld } from '../plans/plan-world.ts';
import { cites } from '../requirements.ts';
import { ticketServer } from './ticket-server.ts';

const TASK = { title: 'Add authentication', body: 'Step 1: ...' };

/** Document 004, "Request": printed over several lines, sent in one. */
const REQUEST = `{
  "jsonrpc": "2.0",
  "method": "getNextTask",
  "params": {},
  "id": 1
}`;
/** Document 004, "Common Request/Response Patterns". */
const GET_NEXT_TASK = '{"jsonrpc":"2.0","method":"getNextTask","id":1}';
const REPORT_TASK_DONE = `{
  "jsonrpc":"2.0",
  "method":"reportTaskDone",
  "params":{"taskId":"TICKET-001","result":"Completed successfully"},
  "id":3
}`;
const NO_TASKS = '{"jsonrpc":"2.0","id":1,"result":null}';
const SUCCESS = '{"jsonrpc":"2.0","id":3,"result":{"success":true}}';

/** Sends a text as it is and returns what is answered to it. */
async function say(program: Program, request: string): Promise<Reply> {
  const before = program.replies.length;
  program.write(`${request.replaceAll('\n', ' ')}\n`);
  return program.until('an answer', () => program.replies.at(before));
}

test(`${cites('DOC-004-TASKS', 'STDIO-BARE-METHOD')} a task is handed out and reported as printed, with nothing before`, async () => {
  await using world = new PlanWorld();
  const [{ program }, maker] = [ticketServer(world), ticketServer(world)];
  for (const request of [REQUEST, GET_NEXT_TASK]) {
    expect(await say(program, request)).toEqual(JSON.parse(NO_TASKS));
  }
  for (const [index, request] of [REQUEST, GET_NEXT_TASK].entries()) {
    const id = await maker.ticket(TASK.title, { body: TASK.body });
    const answer = await say(program, request);
    expect(answer).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        id,
        title: 'Add authentication',
        description: 'Step 1: ...',
        status: 'claimed',
        token: expect.any(String),
        next: expect.any(String),
      },
    });
    expect(id).toBe(`T-${index + 1}`);
    const report = REPORT_TASK_DONE.replace('TICKET-001', answer.result.id);
    expect(await say(program, report)).toEqual(JSON.parse(SUCCESS));
    expect(await maker.find(id)).toMatchObject({
      state: 'done',
      resolution: 'Completed successfully',
    });
  }
  expect(await say(program, GET_NEXT_TASK)).toEqual(JSON.parse(NO_TASKS));
  expect(program.garbage).toEqual([]);
});

test(`${cites('DOC-004-TASKS', 'T18')} two who ask at once get two tasks, and neither reports the other's`, async () => {
  await using world = new PlanWorld();
  const [one, other, maker] = [ticketServer(world), ticketServer(world), ticketServer(world)];
  for (const title of ['One', 'Two']) await maker.ticket(title);
  const answers = await Promise.all([one, other].map((each) => say(each.program, GET_NEXT_TASK)));
  expect(answers.map(({ result }) => result.id).sort()).toEqual(['T-1', 'T-2']);
  const mine = answers[0]?.result;
  const report = REPORT_TASK_DONE.replace('TICKET-001', mine.id);
  expect(await say(other.program, report)).toMatchObject({
    id: 3,
    error: {
      code: expect.any(Number),
      message: expect.stringMatching(/claimed by somebody\. Nothing was changed\./),
      data: { code: 'token_needed', next: expect.stringContaining('token') },
    },
  });
  expect(await maker.find(mine.id)).toMatchObject({ state: 'claimed' });
  const params = { taskId: mine.id, result: 'Completed successfully', token: mine.token };
  const withToken = await other.program.request('again', 'reportTaskDone', params);
  expect(withToken.result).toEqual({ success: true });
});

test(`${cites('DOC-004-TASKS', 'TICKET-AGENT')} who says its name is known on every connection`, async () => {
  await using world = new PlanWorld();
  const [one, other] = [ticketServer(world), ticketServer(world)];
  await one.ticket('One');
  const agent = 'copilot';
  const { result } = await one.request('getNextTask', { agent });
  expect((await other.request('getNextTask', { agent })).result).toEqual(result);
  const params = { taskId: result.id, result: 'Done', agent };
  expect((await other.request('reportTaskDone', params)).result).toEqual({ success: true });
});

test(`${cites('DOC-004-TASKS')} a report whose checks fail is no success, and says what to do`, async () => {
  await using world = new PlanWorld();
  const server = ticketServer(world, 'auto');
  await server.ticket('One', { checks: ['[ -e fixed ]'] });
  await server.request('getNextTask');
  const params = { taskId: 'T-1', result: 'Done' };
  expect((await server.request('reportTaskDone', params)).result).toMatchObject({
    success: false,
    status: 'claimed',
    evidence: { verdict: 'failed' },
    next: expect.stringContaining('report again'),
  });
  world.write('fixed', '');
  expect((await server.request('reportTaskDone', params)).result).toEqual({ success: true });
});

test(`${cites('DOC-004-TASKS', 'STDIO-INVALID', 'STDIO-UNKNOWN-METHOD')} errors are those of its table`, async () => {
  await using world = new PlanWorld();
  const server = ticketServer(world);
  await server.ticket('One');
  const cases: readonly [string, number, string][] = [
    ['{oops', -32700, 'JSON'],
    ['{"jsonrpc":"2.0","method":5,"id":1}', -32600, 'method'],
    ['{"jsonrpc":"1.0","method":"getNextTask","id":1}', -32600, 'jsonrpc'],
    ['{"jsonrpc":"2.0","method":"getNextTasks","id":1}', -32601, 'Method not found'],
    ['{"jsonrpc":"2.0","method":"getNextTask","params":7,"id":1}', -32602, 'params'],
    ['{"jsonrpc":"2.0","method":"getNextTask","params":{"agent":7},"id":1}', -32602, 'agent'],
    ['{"jsonrpc":"2.0","method":"reportTaskDone","id":1}', -32602, 'id'],
    [
      '{"jsonrpc":"2.0","method":"reportTaskDone","params":{"taskId":"T-1"},"id":1}',
      -32602,
      'summary',
    ],
    [REPORT_TASK_DONE, -32602, 'expected a ticket such as T-14'],
  ];
  for (const [request, code, word] of cases) {
    const { error } = await say(server.program, request);
    expect(error, request).toMatchObject({ code, message: expect.stringContaining(word) });
  }
  const unknown = REPORT_TASK_DONE.replace('TICKET-001', 'T-99');
  expect((await say(server.program, unknown)).error).toMatchObject({
    data: { code: 'ticket_unknown' },
  });
  const unclaimed = REPORT_TASK_DONE.replace('TICKET-001', 'T-1');
  expect((await say(server.program, unclaimed)).error).toMatchObject({
    data: { code: 'not_claimed', next: expect.stringContaining('ticket_next') },
  });
  expect(await server.find('T-1')).toMatchObject({ state: 'ready', version: 1 });
});
