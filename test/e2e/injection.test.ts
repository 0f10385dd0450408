import { existsSync } from 'node:fs';
import path from 'node:path';
import { builtInTools } from '@baton/runtime';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { tsconfig } from './editor/projects.ts';
import { GitWorld } from './plans/git/git-world.ts';
import { until } from './plans/until.ts';
import { cites } from './requirements.ts';
import { HARMLESS, type JsonSchema, payloadsFor, stringPlaces } from './string-places.ts';
import { type TicketServer, ticketServer } from './tickets/ticket-server.ts';

/** These are commands of a shell, and nothing else is. */
const SHELL_COMMANDS = /(^|\.)((work|command)|(setup|verify|before|checks)\[\])$/;
/** These make jobs work in worktrees, which takes its time: one payload has to do. */
const IN_WORKTREES = /(^|\.)(link|setup|verify|before|checks|touches)\[\]/;
const GIT_PARTS = /(^|\.)(before|checks|touches|repository)\b/;

/** Tools that do something with texts of any kind, so that some of the calls must do it. */
const TAKING = [
  ...['plan_create', 'plan_edit', 'ticket_create', 'ticket_update', 'ticket_next'],
  ...['knowledge_search', 'data_search', 'data_describe'],
];

type Rest = (server: TicketServer) => object[] | Promise<object[]>;
const JOBS = [{ id: HARMLESS, work: HARMLESS }];
const aPlan = (server: TicketServer) => server.create({ jobs: JOBS });
const aTicket = (server: TicketServer) => server.ticket('Ticket', { checks: ['true'] });

/** What a call needs besides the text at one place of it, in as many forms as there are. */
const REST: Readonly<Record<string, Rest>> = {
  data_insights: () => [{ category: 'orders' }],
  data_search: () => [{ category: 'orders' }],
  organize_imports: () => [{ files: ['total.ts'] }],
  plan_control: async (server) => {
    const plan = await aPlan(server);
    const jobs = [HARMLESS];
    return [
      { plan, action: 'fail', jobs },
      { plan, action: 'retry', jobs },
      { plan, action: 'cancel' },
    ];
  },
  plan_create: () => [{ name: 'Plan', jobs: JOBS }],
  plan_edit: async (server) => [{ plan: await aPlan(server) }],
  plan_get: async (server) => [{ plan: await aPlan(server) }],
  rename_file: () => [{ from: 'total.ts', to: 'sum.ts', dryRun: true }],
  rename_symbol: () => [{ file: 'total.ts', name: 'total', newName: 'sum', dryRun: true }],
  setting_get: () => [{ key: 'editor.tabSize', scope: 'workspace' }],
  setting_set: () => [{ key: 'editor.tabSize', scope: 'workspace' }],
  ticket_create: () => [{ title: 'Ticket', checks: ['true'] }],
  ticket_report: async (server) => [
    { id: await aTicket(server), outcome: 'done', summary: 'Did it.' },
  ],
  ticket_update: async (server) => [{ id: await aTicket(server) }],
};

interface Call {
  readonly tool: string;
  readonly where: string;
  readonly input: object;
}

async function callsOf(server: TicketServer, canary: string): Promise<Call[]> {
  const calls: Call[] = [];
  for (const { name: tool, input } of builtInTools) {
    const schema = z.toJSONSchema(input, { io: 'input' }) as JsonSchema;
    for (const { where, fill } of stringPlaces(schema)) {
      if (SHELL_COMMANDS.test(where)) continue;
      const rests = (await REST[tool]?.(server)) ?? [{}];
      const payloads = payloadsFor(canary);
      const used = IN_WORKTREES.test(where) ? payloads.slice(0, 1) : payloads;
      for (const [rest, text] of rests.flatMap((each) => used.map((one) => [each, one] as const))) {
        calls.push({ tool, where, input: inputOf(tool, where, rest, fill(text) as object) });
      }
    }
  }
  return calls;
}

function inputOf(tool: string, where: string, rest: object, filled: object): object {
  const [key = ''] = where.split(/[.[]/);
  const own = { [key]: (filled as Readonly<Record<string, unknown>>)[key] };
  if (tool === 'plan_create' && key === 'file') return own;
  const isForGit = tool === 'plan_create' && key === 'jobs' && GIT_PARTS.test(where);
  return { ...rest, ...own, ...(isForGit && { git: {} }) };
}

test(`${cites('T4')} no text in any parameter of any tool becomes a command`, async () => {
  // Paths are no parameters, but git is told them, too.
  const hostile = (file: string) => payloadsFor(file)[0] ?? '';
  const canaryIn = (folder: string) => path.join(folder, 'canary');
  await using world = new GitWorld({
    env: { BATON_MAX_JOBS: '0' },
    name: (folder) => hostile(canaryIn(folder)),
  });
  world.write('tsconfig.json', tsconfig());
  world.write('total.ts', 'export const total = 1;\n');
  world.write('.baton/data/orders.json', '[{"id": "1", "name": "true"}]');
  world.write('.baton/knowledge/page.md', '# True\n\nWhat is true.\n');
  const canary = canaryIn(world.folder);
  world.commit(`${hostile(canary)}.txt`, 'a file with the name of a command\n');
  const server = ticketServer(world, 'auto');
  const calls = await callsOf(server, canary);
  const codes = new Map<string, Set<string>>();
  await Promise.all(
    calls.map(async ({ tool, where, input }) => {
      const reply = await server.request('tools/call', { name: tool, arguments: input });
      expect(reply.result, `${tool} ${where}`).toBeDefined();
      const code: string = reply.result.structuredContent.code ?? 'taken';
      codes.set(tool, (codes.get(tool) ?? new Set()).add(code));
    }),
  );
  const withoutTexts = builtInTools.map(({ name }) => name).filter((name) => !codes.has(name));
  expect(withoutTexts).toEqual(['status']);
  // Behind its schema each tool was reached: a new one may need a line in REST.
  const unreached = [...codes].filter(([, found]) => [...found].join() === 'invalid_input');
  expect(unreached).toEqual([]);
  for (const tool of TAKING) expect(codes.get(tool), tool).toContain('taken');
  await reportAll(server, payloadsFor(canary));
  await land(server, hostile(canary));
  await until('the end of all plans', async () => {
    // Jobs that wait for a ticket wait for somebody.
    const { tickets } = await server.call('ticket_find', { limit: 100 });
    for (const { id } of tickets) await server.call('ticket_update', { id, state: 'cancelled' });
    const { plans } = await server.call('plan_list', { state: 'running' });
    return plans.length === 0;
  });
  expect(existsSync(canary)).toBe(false);
});

/** What is committed, merged and shown carries the names of jobs, plans and files. */
async function land(server: TicketServer, name: string): Promise<void> {
  const work = `git ls-files -z | xargs -0 sh -c 'for file; do echo more >> "$file"; done' sh`;
  const jobs = [{ id: 'write', name, task: name, group: 'a', work }];
  const plan = await server.create({ name, jobs, git: { target: 'landed' } });
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  const { diff } = await server.call('plan_get', { plan, view: 'diff' });
  expect(JSON.stringify(diff)).toContain(JSON.stringify(`${name}.txt`).slice(1, -1));
}

/** The checks of tickets run, under names that are made of their titles. */
async function reportAll(server: TicketServer, payloads: readonly string[]): Promise<void> {
  const titles = payloads.filter((text) => !/[\0\n]/.test(text));
  for (const title of titles) {
    await server.ticket(title, { priority: 1, labels: ['mine'], checks: ['true'] });
    const { ticket, token } = await server.next({ labels: ['mine'] });
    await server.report(ticket.id, token, { summary: title, files: [title], waitSeconds: 0 });
  }
  await until('the end of all checks', async () => {
    return (await server.list({ labels: ['mine'] })).length === 0;
  });
}
