import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { parsePlan, problemsOf, SCHEMAS, withWork } from './plan-schemas.ts';

const PLAN = { name: 'ship', jobs: [{ id: 'build', work: 'make' }] };

test.each([
  ['name: ship\njobs:\n  - id: build\n    work: make\n', PLAN],
  ['\ufeffname: ship\r\njobs:\r\n- {id: build, work: make}\r\n', PLAN],
  [JSON.stringify(PLAN, undefined, '\t'), PLAN],
  ['# why\n---\nname: ship\njobs: [{id: build, work: make}]\n...\n', PLAN],
  [
    withWork('{type: process, executable: ls}'),
    {
      name: 'ship',
      jobs: [{ id: 'build', work: { type: 'process', executable: 'ls', args: [] } }],
    },
  ],
  [
    '%YAML 1.1\n---\nname: yes\njobs: [{id: off, work: 2001-01-01}]',
    { name: 'yes', jobs: [{ id: 'off', work: '2001-01-01' }] },
  ],
  [
    'name: &it ship\njobs: [{id: *it, work: *it}]',
    { name: 'ship', jobs: [{ id: 'ship', work: 'ship' }] },
  ],
])('good file %#', async (text, plan) => {
  expect(await parsePlan(text, SCHEMAS.union)).toEqual(plan);
});

test.each([
  ['', ['1:1: The file is empty.']],
  ['# nothing\n---\n', ['1:1: The file is empty.']],
  ['- build', ['1:1: The file: expected object, received array.']],
  ['just words', ['1:1: The file: expected object, received string.']],
  [
    'name: [1\njobs: []',
    ['2:1: Flow sequence in block collection must be sufficiently indented and end with a ].'],
  ],
  ['name: "ship\n', ['2:1: Missing closing "quote.']],
  ['\tname: ship', ['1:1: Tabs are not allowed as indentation.']],
  ['name: a: b', ['1:7: Nested mappings are not allowed in compact mappings.']],
  ['? [name]\n: ship', ['1:3: A key must be a plain text.']],
  [
    'name: a\nname: 1\njobs: []',
    [
      '2:1: This key is there already, and each may be given once.',
      '2:7: name: expected string, received number.',
      '3:7: jobs: Too small: expected array to have >=1 items.',
    ],
  ],
  [
    'name: a\njobs: [{id: build, work: x}]\n---\nname: b',
    ['3:1: A second document begins here, and a file holds one.'],
  ],
  [withWork('!!js/function x'), ['4:11: Tags are not supported: write a plain value.']],
  [withWork('!!binary aGk='), ['4:11: Tags are not supported: write a plain value.']],
  [withWork('!include x'), ['4:11: Tags are not supported: write a plain value.']],
  [withWork('*nobody'), ['4:11: There is no anchor &nobody before this alias.']],
  [withWork('&x [*x]'), ['4:15: The alias *x contains itself.']],
  [
    `a: &a [${'x,'.repeat(9)}]\nb: &b [${'*a,'.repeat(20)}]\nc: [${'*b,'.repeat(20)}]`,
    ['1:1: A value with an anchor is there more than 100 times, aliases within aliases counted.'],
  ],
  [
    'name: 1\njobz: []',
    [
      '1:1: jobs is missing: expected array.',
      '1:7: name: expected string, received number.',
      '2:1: Unknown key "jobz" (did you mean "jobs"?). Known keys: name, env, jobs.',
    ],
  ],
  [
    'name: x\njobs:\n  - id: ab\n    needs: build\n  -\n',
    [
      '3:5: jobs.0.work is missing: expected string or object.',
      '3:9: jobs.0.id: Ids are 3 to 64 of a-z, 0-9 and -.',
      '4:12: jobs.0.needs: expected array, received string.',
      '5:4: jobs.1: expected object, received nothing.',
    ],
  ],
  [
    'name: x\nenv: {a: b, B: 1}\njobs: [{id: build, work: x}]',
    [
      '2:7: Key "a": Invalid string: must match pattern /^[A-Z_]+$/.',
      '2:16: env.B: expected string, received number.',
    ],
  ],
  [
    '<<: {name: x}\njobs: 5',
    [
      '1:1: name is missing: expected string.',
      '1:1: Unknown key "<<". Known keys: name, env, jobs.',
      '2:7: jobs: expected array, received number.',
    ],
  ],
  [
    '__proto__: {name: x}\njobs: [{id: build, work: x, constructor: 1}]',
    [
      '1:1: name is missing: expected string.',
      '1:1: Unknown key "__proto__". Known keys: name, env, jobs.',
      '2:29: Unknown key "constructor". Known keys: id, work, needs.',
    ],
  ],
  [
    '{\n\t"name": "x",\n\t"jobs": [{"id": "build", "work": 1}]\n}',
    ['3:35: jobs.0.work: expected string or object, received number.'],
  ],
  [
    'name: &n 5\njobs: [{id: build, work: *n}]',
    [
      '1:10: name: expected string, received number.',
      '2:26: jobs.0.work: expected string or object, received number.',
    ],
  ],
  [
    'name: x\njobs:\n  - &j {id: build, work: {type: shell, command: 1}}\n  - *j\n',
    [
      '3:49: jobs.0.work.command: expected string, received number.',
      '3:49: jobs.1.work.command: expected string, received number.',
    ],
  ],
  [
    `name: x\njobs: [${'1,'.repeat(10)}]`,
    [
      ...Array.from(
        { length: 8 },
        (_, at) => `2:${8 + 2 * at}: jobs.${at}: expected object, received number.`,
      ),
      'and 2 more',
    ],
  ],
])('bad file %#', async (text, problems) => {
  expect(await problemsOf(text)).toEqual(problems);
});

test('a value with an anchor may be there a hundred times', async () => {
  const list = z.array(z.string());
  const used = (times: number) => `[&x a, ${'*x, '.repeat(times)}]`;
  expect(await parsePlan(used(99), list)).toHaveLength(100);
  expect(await problemsOf(used(100), list)).toHaveLength(1);
});

test('a bomb, a pit and a long name stay small', async () => {
  const levels = Array.from(
    { length: 30 },
    (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`,
  );
  expect(await problemsOf(`a0: &a0 x\n${levels.join('\n')}`)).toHaveLength(1);
  for (const pit of ['['.repeat(20_000), `${'['.repeat(20_000)}${']'.repeat(20_000)}`]) {
    expect((await problemsOf(pit)).join()).toMatch(/^1:\d+: This is nested too deeply\.$/);
  }
  const long = await problemsOf(
    `"${'k'.repeat(1_000)}\\n": 1\nname: x\njobs: [{id: build, work: x}]`,
  );
  expect(long).toEqual([
    `1:1: Unknown key "${'k'.repeat(60)}… (941 more characters)". Known keys: name, env, jobs.`,
  ]);
});

test('every plan comes through as it was written', async () => {
  const plan = fc.record({
    name: fc.string({ unit: 'binary' }),
    jobs: fc.array(
      fc.record({
        id: fc.stringMatching(/^[a-z0-9-]{3,64}$/),
        work: fc.oneof(
          fc.string(),
          fc.record({ type: fc.constant('shell'), command: fc.string() }),
        ),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  });
  await fc.assert(
    fc.asyncProperty(plan, async (written) => {
      const read = await parsePlan(JSON.stringify(written), SCHEMAS.union);
      expect(read).toEqual(written);
    }),
  );
});

test('any text is a plan or refused with positions within it', async () => {
  const piece = fc.constantFrom(
    ...['name', 'jobs', 'id', 'work', 'type', ': ', '\n', '  ', '- ', '[', ']', '{', '}', ',', '"'],
    ...['&a ', '*a', '!t ', '|', '---\n', '#', '?', '\t', '%', '__proto__', 'shell', '1', '<<'],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 25 }), async (pieces) => {
      const text = pieces.join('');
      const lines = text.split('\n');
      for (const problem of await problemsOf(text, SCHEMAS.discriminated)) {
        const [, line, column] = /^(\d+):(\d+): \S/.exec(problem) ?? [];
        if (problem.startsWith('and ')) continue;
        expect(Number(column), problem).toBeLessThanOrEqual(
          (lines[Number(line) - 1] ?? '').length + 1,
        );
      }
    }),
    { numRuns: 2_000 },
  );
});
