import { BatonError, defineTool, type Tool } from '@baton/core';
import * as z from 'zod';
import { base, type Fixtures } from './fixture-base.ts';
import { counterBump, counterWatches } from './fixture-counters.ts';
import { picture } from './fixture-media.ts';
import { promptSet } from './fixture-prompts.ts';
import { confirm, consult } from './fixture-questions.ts';
import { obey } from './fixture-trust.ts';

function until(signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const stop = () => {
      clearTimeout(timer);
      resolve();
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

const answer = defineTool({
  ...base,
  name: 'answer',
  title: 'Answer',
  description: 'Answers a question, the way document 004 asks it.',
  input: z.object({ question: z.string().min(1), chatId: z.string().optional() }),
  output: z.object({ answer: z.string(), chatId: z.string() }),
  examples: [{ title: 'Ask', input: { question: 'What is async?' } }],
  run: (_fixtures: Fixtures, { question, chatId = 'chat-1' }) => ({
    answer: `You asked: ${question}`,
    chatId,
  }),
});

const caller = defineTool({
  ...base,
  name: 'caller',
  title: 'Caller',
  description: 'Tells who calls it.',
  input: z.object({}),
  output: z.object({ connection: z.string().optional(), name: z.string().optional() }),
  run: (_fixtures: Fixtures, _input, { caller }) => ({ ...caller }),
});

const change = defineTool({
  ...base,
  name: 'change',
  title: 'Change',
  description: 'Announces a change of a list or of a resource.',
  input: z.object({
    kind: z.enum(['tools', 'resources', 'prompts', 'resource']),
    uri: z.string().optional(),
    times: z.number().int().min(1).max(100_000).default(1),
  }),
  output: z.object({ announced: z.string() }),
  run({ ports }: Fixtures, { kind, uri = '', times }) {
    for (let time = 0; time < times; time++) {
      ports.changes.publish(kind === 'resource' ? { kind, uri } : { kind });
    }
    return { announced: kind };
  },
});

const count = defineTool({
  ...base,
  name: 'count',
  title: 'Count',
  description: 'Reports progress step by step.',
  input: z.object({
    steps: z.number().int().min(1).max(1000),
    hold: z.boolean().optional().describe('go on until cancelled'),
  }),
  output: z.object({ counted: z.number() }),
  examples: [{ title: 'Three steps', input: { steps: 3 } }],
  async run(_fixtures: Fixtures, { steps, hold = false }, { progress, signal }) {
    for (let step = 1; step <= steps; step++) progress({ progress: step, total: steps });
    if (hold) await until(signal, 600_000);
    return { counted: steps };
  },
});

const crash = defineTool({
  ...base,
  name: 'crash',
  title: 'Crash',
  description: 'Throws an error that nobody expected.',
  input: z.object({}),
  output: z.object({}),
  run(): never {
    throw new TypeError('the secret plan is in /home/alice');
  },
});

const echo = defineTool({
  ...base,
  name: 'echo',
  title: 'Echo',
  description: 'Returns what it was given.',
  input: z.object({
    text: z.string().optional().describe('what to say'),
    data: z.unknown().optional(),
    times: z.number().int().min(1).max(100_000).default(1).describe('how often'),
    tags: z.array(z.string()).optional().describe('labels'),
    loud: z.boolean().optional().describe('in capitals'),
  }),
  output: z.object({ text: z.string(), data: z.unknown().optional(), tags: z.array(z.string()) }),
  examples: [{ title: 'Say hello', input: { text: 'hello', tags: ['a', 'b c'], times: 2 } }],
  run(_fixtures: Fixtures, { text = '', data, times, tags = [], loud = false }) {
    const said = text.repeat(times);
    return { text: loud ? said.toUpperCase() : said, tags, ...(data !== undefined && { data }) };
  },
});

const fail = defineTool({
  ...base,
  name: 'fail',
  title: 'Fail',
  description: 'Fails in an expected way.',
  input: z.object({}),
  output: z.object({}),
  run(): never {
    throw new BatonError('no_luck', 'It did not work.', 'Try something else.');
  },
});

const liar = defineTool({
  ...base,
  name: 'liar',
  title: 'Liar',
  description: 'Returns data that its output schema refuses.',
  input: z.object({}),
  output: z.object({ promised: z.string() }),
  run: () => ({ promised: 42 as unknown as string }),
});

const memory = defineTool({
  ...base,
  name: 'memory',
  title: 'Memory',
  description: 'Collects garbage and tells what is left (needs node --expose-gc).',
  input: z.object({}),
  output: z.object({ heapUsed: z.number(), rss: z.number() }),
  run() {
    for (let round = 0; round < 3; round++) globalThis.gc?.();
    const { heapUsed, rss } = process.memoryUsage();
    return { heapUsed, rss };
  },
});

const noisy = defineTool({
  ...base,
  name: 'noisy',
  title: 'Noisy',
  description: 'Prints to stdout in every way there is.',
  input: z.object({}),
  output: z.object({ done: z.boolean() }),
  run(_fixtures: Fixtures, _input, { log }) {
    console.log('console.log says hello');
    console.info('console.info says hello');
    console.table([{ a: 1 }]);
    console.dir({ b: 2 });
    console.time('timer');
    console.timeEnd('timer');
    console.group('group');
    console.groupEnd();
    process.stdout.write('process.stdout.write says hello\n');
    log.write('info', 'a line with \u001b[2J and\nanother line');
    return { done: true };
  },
});

const prototypes = defineTool({
  ...base,
  name: 'prototypes',
  title: 'Prototypes',
  description: 'Tells what has been added to the prototypes of objects and arrays.',
  input: z.object({}),
  output: z.object({ added: z.array(z.string()) }),
  run() {
    const added: string[] = [];
    for (const key in {}) added.push(key);
    for (const key in []) added.push(key);
    return { added };
  },
});

const slow = defineTool({
  ...base,
  name: 'slow',
  title: 'Slow',
  description: 'Takes its time; ends early when cancelled.',
  input: z.object({ ms: z.number().int().min(0) }),
  output: z.object({ waited: z.boolean() }),
  async run(_fixtures: Fixtures, { ms }, { signal, log }) {
    log.write('info', `slow ${ms} started`);
    await until(signal, ms);
    if (signal.aborted) log.write('info', `slow ${ms} cancelled`);
    return { waited: true };
  },
});

const stubborn = defineTool({
  ...base,
  name: 'stubborn',
  title: 'Stubborn',
  description: 'Never ends and ignores its signal.',
  input: z.object({}),
  output: z.object({}),
  run: () => new Promise<never>(() => setInterval(() => {}, 1000)),
});

const wait = defineTool({
  ...base,
  name: 'wait',
  title: 'Wait',
  description: 'Waits for something that never happens, or until nobody waits any longer.',
  input: z.object({ waitSeconds: z.number().int().min(0).max(50).default(0) }),
  output: z.object({ state: z.string() }),
  async run(_fixtures: Fixtures, { waitSeconds }, { draining }) {
    await until(draining, waitSeconds * 1000);
    return { state: 'pending' };
  },
});

const noteAdd = defineTool({
  ...base,
  name: 'note_add',
  title: 'Add a note',
  description: 'Adds a note.',
  toolset: 'notes',
  effect: 'add',
  input: z.object({ id: z.string().min(1), text: z.string() }),
  output: z.object({ id: z.string() }),
  run({ notes }: Fixtures, { id, text }) {
    notes.set(id, text);
    return { id };
  },
});

const noteRemove = defineTool({
  ...base,
  name: 'note_remove',
  title: 'Remove a note',
  description: 'Removes a note for good.',
  toolset: 'notes',
  effect: 'destroy',
  input: z.object({ id: z.string() }),
  output: z.object({ removed: z.boolean() }),
  run: ({ notes }: Fixtures, { id }) => ({ removed: notes.delete(id) }),
});

export const fixtureTools: readonly Tool<Fixtures>[] = [
  answer,
  caller,
  change,
  confirm,
  consult,
  count,
  counterBump,
  counterWatches,
  crash,
  echo,
  fail,
  liar,
  memory,
  noisy,
  noteAdd,
  noteRemove,
  obey,
  picture,
  promptSet,
  prototypes,
  slow,
  stubborn,
  wait,
];
