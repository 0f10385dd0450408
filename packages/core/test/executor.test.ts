import { createFakeClock, createFakeIds, createMemoryLog } from '@baton/testkit';
import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import {
  type Alias,
  BatonError,
  type Content,
  createExecutor,
  defineTool,
  type Progress,
  type Tool,
} from '../src/index.ts';

interface Setting {
  readonly heartbeatMs?: number;
  readonly content?: (data: { ok: boolean }) => readonly Content[];
  readonly input?: Alias['input'];
}

function setUp(run: Tool['run'], { heartbeatMs, content, input }: Setting = {}) {
  const log = createMemoryLog();
  const execute = createExecutor({
    clock: createFakeClock(),
    ids: createFakeIds(),
    log,
    ...(heartbeatMs && { heartbeatMs }),
  });
  const tool = defineTool({
    name: 'try_it',
    title: 'Try it',
    description: 'Tries it.',
    toolset: 'tests',
    effect: 'read',
    input: z.object({
      items: z.array(z.object({ id: z.string() }).strict()).optional(),
      nested: z
        .object({ deep: z.object({ value: z.number() }).strict() })
        .strict()
        .optional(),
    }),
    output: z.object({ ok: z.boolean() }),
    examples: [],
    run: run as never,
    ...(content && { content }),
  });
  const callable = { item: tool, service: () => 'service', ...(input && { input }) };
  return {
    execute: (args: unknown, call = {}) =>
      execute(callable, args, { signal: new AbortController().signal, ...call }),
    log,
  };
}

test('unknown keys are named where they are, with the keys known there', async () => {
  const { execute } = setUp(() => ({ ok: true }));
  const outcome = await execute({ items: [{ id: 'a', idd: 1 }], nested: { deep: { vale: 1 } } });
  expect(outcome).toMatchObject({ kind: 'error', error: { code: 'invalid_input' } });
  const { message } = (outcome as { error: { message: string } }).error;
  expect(message).toContain('Unknown key "idd" (did you mean "id"?) in items.0. Known keys: id.');
  expect(message).toContain('"vale" (did you mean "value"?) in nested.deep');
});

test('arguments of an old name are translated first; what is no object is not', async () => {
  const { execute } = setUp((_service, input) => ({ ok: 'items' in input }), {
    input: ({ things }) => ({ items: things }),
  });
  expect(await execute({ things: [{ id: 'a' }] })).toMatchObject({ data: { ok: true } });
  expect(await execute(undefined)).toMatchObject({ kind: 'result' });
  for (const args of [[], 'things', 7]) {
    expect(await execute(args)).toMatchObject({ error: { code: 'invalid_input' } });
  }
  expect(await execute({ things: 7 })).toMatchObject({
    error: { message: expect.stringContaining('Invalid arguments for try_it: items: ') },
  });
});

test('arguments that are no object are refused', async () => {
  const { execute } = setUp(() => ({ ok: true }));
  for (const args of [[], 'x', 5, true]) {
    expect(await execute(args)).toMatchObject({ kind: 'error', error: { code: 'invalid_input' } });
  }
  expect(await execute(null)).toMatchObject({ kind: 'result' });
});

test('a fault is logged with its stack and cause, and answered with its id only', async () => {
  const { execute, log } = setUp(() => {
    throw new TypeError('outer', { cause: new Error('inner') });
  });
  const outcome = await execute({});
  expect(outcome).toMatchObject({ kind: 'error', error: { code: 'internal_error' } });
  expect(JSON.stringify(outcome)).not.toContain('outer');
  const entry = log.entries.find(({ level }) => level === 'error');
  expect(entry?.message).toMatch(/fault id-1: TypeError: outer[\s\S]+caused by Error: inner/);
});

test('a call that was cancelled before it began does not run', async () => {
  const run = vi.fn(() => ({ ok: true }));
  const { execute } = setUp(run);
  const outcome = await execute({}, { signal: AbortSignal.abort() });
  expect(outcome).toMatchObject({ kind: 'error', error: { code: 'cancelled' } });
  expect(run).not.toHaveBeenCalled();
});

test.each([
  ['at once', async () => {}],
  ['later', () => new Promise((resolve) => setTimeout(resolve, 1))],
])('a tool that ignores its signal ends for the caller, %s, with the reason', async (_, moment) => {
  const { execute } = setUp(() => new Promise(() => {}));
  const cancelled = new AbortController();
  const pending = execute({}, { signal: cancelled.signal });
  await moment();
  cancelled.abort(new BatonError('gone', 'The client has gone.', 'Nothing to do.'));
  expect(await pending).toMatchObject({ kind: 'error', error: { code: 'gone' } });
});

test('progress rises, ends with the call, and silence is filled', async () => {
  const updates: Progress[] = [];
  let beats = () => {};
  const heard = new Promise<void>((resolve) => {
    beats = resolve;
  });
  let report: (update: Progress) => void = () => {};
  const { execute } = setUp(
    async (_service, _input, { progress }) => {
      report = progress;
      progress({ progress: 2, total: 10 });
      progress({ progress: 1, total: 10 });
      await heard;
      progress({ progress: 3, total: 10 });
      return { ok: true };
    },
    { heartbeatMs: 5 },
  );
  await execute(
    {},
    {
      progress: (update: Progress) => {
        updates.push(update);
        if (updates.length === 3) beats();
      },
    },
  );
  const ended = updates.length;
  report({ progress: 99 });
  expect(updates).toHaveLength(ended);
  const values = updates.map(({ progress }) => progress);
  expect(values).toEqual([...values].sort((a, b) => a - b));
  expect(new Set(values).size).toBe(values.length);
  expect(updates[0]).toEqual({ progress: 2, total: 10 });
  expect(updates[1]?.message).toBe('still running');
  expect(updates.at(-1)).toEqual({ progress: 3, total: 10 });
});

test('silence before the first report swallows none of it', async () => {
  const updates: Progress[] = [];
  let beats = () => {};
  const heard = new Promise<void>((resolve) => {
    beats = resolve;
  });
  const { execute } = setUp(
    async (_service, _input, { progress }) => {
      progress({ progress: 0, total: 3 });
      await heard;
      for (const step of [1, 2, 3]) progress({ progress: step, total: 3 });
      return { ok: true };
    },
    { heartbeatMs: 5 },
  );
  await execute(
    {},
    {
      progress: (update: Progress) => {
        if (updates.push(update) === 4) beats();
      },
    },
  );
  const own = updates.filter(({ total }) => total === 3).map(({ progress }) => progress);
  expect(own).toEqual([0, 1, 2, 3]);
});

test('the log of a tool goes to Baton and to the client, in its own name', async () => {
  const toClient: string[] = [];
  const { execute, log } = setUp((_service, _input, context) => {
    context.log.write('warn', 'careful \u001b[31m');
    return { ok: true };
  });
  await execute(
    {},
    { clientLog: (level: string, message: string) => toClient.push(`${level} ${message}`) },
  );
  expect(toClient).toEqual(['warn careful \\u001b[31m']);
  expect(log.entries).toContainEqual({
    level: 'warn',
    component: 'try_it',
    message: 'careful \u001b[31m',
  });
});

test('a question is an outcome, its answer comes back checked', async () => {
  const { execute } = setUp((_service, _input, { ask }) => ({
    ok:
      ask({ key: 'sure', message: 'Sure?', schema: z.object({ yes: z.boolean() }) })?.yes ?? false,
  }));
  const can = { ask: true, sample: false, roots: false };
  expect(await execute({}, { can })).toMatchObject({
    kind: 'question',
    requests: { sure: { kind: 'ask', message: 'Sure?' } },
  });
  const answered = (answers: object) => execute({}, { can, answers });
  expect(await answered({ sure: { yes: true } })).toMatchObject({ data: { ok: true } });
  expect(await answered({ sure: null })).toMatchObject({ data: { ok: false } });
  expect(await answered({ sure: { yes: 'perhaps' } })).toMatchObject({ kind: 'question' });
  expect(await execute({})).toMatchObject({
    kind: 'error',
    error: { code: 'cannot_ask' },
    missing: ['ask'],
  });
});

test('a tool may show its data in its own way, with control characters escaped', async () => {
  const { execute } = setUp(() => ({ ok: true }), {
    content: ({ ok }) => [
      { type: 'text', text: `ok \u001b[31m ${ok}` },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    ],
  });
  expect(await execute({})).toEqual({
    kind: 'result',
    data: { ok: true },
    content: [
      { type: 'text', text: 'ok \\u001b[31m true' },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    ],
  });
  const plain = setUp(() => ({ ok: true }));
  expect(await plain.execute({})).toMatchObject({ content: [{ type: 'text', text: 'ok: true' }] });
});

test('a tool that fails to show its data is at fault itself', async () => {
  const { execute } = setUp(() => ({ ok: true }), {
    content() {
      throw new TypeError('no picture');
    },
  });
  expect(await execute({})).toMatchObject({ kind: 'error', error: { code: 'internal_error' } });
});

test('what a schema says about itself survives', () => {
  const tool = defineTool({
    name: 'described',
    title: 'Described',
    description: 'Has a described input.',
    toolset: 'tests',
    effect: 'read',
    input: z.object({ a: z.string() }).meta({ title: 'Described' }),
    output: z.object({}),
    examples: [],
    run: () => ({}),
  });
  expect(tool.input.meta()).toEqual({ title: 'Described' });
  expect(tool.input.safeParse({ a: 'x', b: 1 }).success).toBe(false);
});
