import { expect, test } from 'vitest';
import { z } from 'zod';
import { problemsOf, SCHEMAS, withWork } from './plan-schemas.ts';

test.each([
  ['[]', ['4:11: jobs.0.work: expected string or object, received array.']],
  ['', ['4:11: jobs.0.work: expected string or object, received nothing.']],
  [
    '{type: shel, command: ls}',
    ['4:18: jobs.0.work.type: expected "shell" or "process" (did you mean "shell"?).'],
  ],
  ['{command: ls}', ['4:11: jobs.0.work.type is missing: expected "shell" or "process".']],
  ['{type: 1}', ['4:18: jobs.0.work.type: expected "shell" or "process".']],
  [
    '{type: shell, comand: ls}',
    [
      '4:11: jobs.0.work.command is missing: expected string.',
      '4:25: Unknown key "comand" (did you mean "command"?). Known keys: type, command.',
    ],
  ],
  [
    '{type: process, executable: ls, cwd: /, args: [-l, 1]}',
    [
      '4:43: Unknown key "cwd". Known keys: type, executable, args, priority.',
      '4:62: jobs.0.work.args.1: expected string, received number.',
    ],
  ],
  [
    '{type: process, executable: ls, other: 1}',
    ['4:43: Unknown key "other". Known keys: type, executable, args, priority.'],
  ],
  [
    '{type: process, executable: ls, priority: hihg}',
    ['4:53: jobs.0.work.priority: expected "low" or "high" (did you mean "high"?).'],
  ],
])(
  'work %s is measured against what was meant, however the schema is written',
  async (work, problems) => {
    for (const [name, schema] of Object.entries(SCHEMAS)) {
      expect(await problemsOf(withWork(work), schema), name).toEqual(problems);
    }
  },
);

test('of schemas without a discriminator the one that fits deepest is meant', async () => {
  const schema = z.union([
    z.strictObject({ git: z.string() }),
    z.strictObject({ http: z.strictObject({ url: z.string(), retries: z.number() }) }),
  ]);
  expect(await problemsOf('http: {url: 1, retries: many, other: 1}', schema)).toEqual([
    '1:13: http.url: expected string, received number.',
    '1:25: http.retries: expected number, received string.',
    '1:31: Unknown key "other". Known keys: url, retries.',
  ]);
});

test('of those that fit as deep, the one with the fewest problems is meant', async () => {
  const schema = z.union([
    z.strictObject({ host: z.string(), port: z.number() }),
    z.strictObject({ socket: z.string() }),
  ]);
  expect(await problemsOf('socket: 1', schema)).toEqual([
    '1:9: socket: expected string, received number.',
  ]);
});

test('a choice of several values is no discriminator', async () => {
  const schema = z.union([
    z.strictObject({ type: z.literal('none') }),
    z.strictObject({ type: z.literal('some'), size: z.enum(['s', 'l']), of: z.string() }),
  ]);
  expect(await problemsOf('type: some\nsize: xxl', schema)).toEqual([
    '1:1: of is missing: expected string.',
    '2:7: size: expected "s" or "l" (did you mean "l"?).',
  ]);
});

test('what a schema says in its own words is kept, also about a key that is not there', async () => {
  const schema = z
    .object({
      from: z.number({ error: 'Give a start' }),
      pair: z.tuple([z.string(), z.strictObject({ at: z.number() })]),
    })
    .refine(() => false, { error: 'Give an end', path: ['to'], when: () => true });
  expect(await problemsOf('from: x\npair: [a, {at: 1, other: 2}]', schema)).toEqual([
    '1:1: to: Give an end.',
    '1:7: from: Give a start.',
    '2:19: Unknown key "other". Known keys: at.',
  ]);
});
