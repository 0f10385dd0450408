import { BatonError } from '@baton/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ancestorsOf, checkGraph, type GraphJob } from '../src/graph.ts';
import { anyGraph, chain, soundGraph, wide } from './random-graphs.ts';

const INTRODUCTION = 'The jobs are not a graph that can be run: ';

function problemsOf(jobs: readonly GraphJob[]): string | undefined {
  try {
    checkGraph(jobs);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(BatonError);
    expect(error).toMatchObject({
      code: 'plan_graph',
      next: 'Correct the ids and needs of the jobs and try again.',
    });
    const { message } = error as BatonError;
    expect(message.startsWith(INTRODUCTION)).toBe(true);
    return message.slice(INTRODUCTION.length);
  }
}

test('every kind of problem is named, all in one error', () => {
  const jobs = [
    { id: 'build' },
    { id: 'test', needs: ['biuld', 'lint', 'biuld', 'lint'] },
    { id: 'build', needs: ['nowhere-near'] },
    { id: 'lint', needs: ['lint', 'ship'] },
    { id: 'ship', needs: ['test'] },
  ];
  expect(problemsOf(jobs)).toBe(
    '2 jobs have the id "build". ' +
      '"test" needs "biuld", which is no job of the plan (did you mean "build"?). ' +
      '"build" needs "nowhere-near", which is no job of the plan. ' +
      '"lint" needs itself. ' +
      'These need each other in a circle: test → lint → ship → test.',
  );
});

test('of jobs with one id the first counts, so that no circle is made of two of them', () => {
  const jobs = [{ id: 'one' }, { id: 'one', needs: ['two'] }, { id: 'two', needs: ['one'] }];
  expect(problemsOf(jobs)).toBe('2 jobs have the id "one".');
});

test('a job is never told to have meant itself', () => {
  expect(problemsOf([{ id: 'build', needs: ['builds'] }])).toBe(
    '"build" needs "builds", which is no job of the plan.',
  );
});

test('cycles that share jobs are named once each, from the job that was written first', () => {
  const jobs = [
    { id: 'setup' },
    { id: 'ccc', needs: ['setup', 'aaa'] },
    { id: 'aaa', needs: ['bbb', 'ddd'] },
    { id: 'bbb', needs: ['ccc'] },
    { id: 'ddd', needs: ['aaa'] },
  ];
  expect(problemsOf(jobs)).toBe(
    'These need each other in a circle: ccc → aaa → bbb → ccc. ' +
      'These need each other in a circle: aaa → ddd → aaa.',
  );
  const away = [
    { id: 'off', needs: ['two'] },
    { id: 'one', needs: ['two'] },
    { id: 'two', needs: ['one'] },
  ];
  expect(problemsOf(away)).toBe('These need each other in a circle: one → two → one.');
});

test('beyond eight problems they are counted', () => {
  const selfish = Array.from({ length: 11 }, (_, index) => ({
    id: `j${index}`,
    needs: [`j${index}`],
  }));
  const pairs = Array.from({ length: 20 }, (_, index) => ({
    id: `p${index}`,
    needs: [`p${index ^ 1}`],
  }));
  const first = selfish.slice(0, 8).map(({ id }) => `"${id}" needs itself.`);
  expect(problemsOf(selfish.slice(0, 8))).toBe(first.join(' '));
  expect(problemsOf([...selfish, ...pairs])).toBe(`${first.join(' ')} And 13 more.`);
  expect(problemsOf(pairs)).toMatch(/p14 → p15 → p14\. And 2 more\.$/);
});

test('a huge cycle is shortened in the middle', () => {
  const ring = (size: number) => {
    const [first, ...rest] = chain(size);
    return [{ ...first, id: 'job-0', needs: [`job-${size - 1}`] }, ...rest];
  };
  const ids = Array.from({ length: 12 }, (_, index) => `job-${11 - index}`);
  expect(problemsOf(ring(12))).toBe(
    `These need each other in a circle: job-0 → ${ids.join(' → ')}.`,
  );
  expect(problemsOf(ring(13))).toContain(' → job-8 → … 2 more … → job-5 → ');
  expect(problemsOf(ring(10_000))).toBe(
    'These need each other in a circle: job-0 → job-9999 → job-9998 → job-9997 → job-9996 → ' +
      'job-9995 → … 9989 more … → job-5 → job-4 → job-3 → job-2 → job-1 → job-0.',
  );
});

test('what comes from outside stays short and on one line', () => {
  const message = problemsOf([{ id: 'build', needs: [`a\n"${'x'.repeat(5_000)}`] }]) ?? '';
  expect(message).toMatch(/^"build" needs "a\\n\\"x{61}… \(4939 more characters\)", which/);
});

test('a graph without cycles is fine, however long or wide', () => {
  fc.assert(
    fc.property(soundGraph, (jobs) => {
      expect(problemsOf(jobs)).toBeUndefined();
    }),
  );
  for (const jobs of [chain(10_000), chain(10_000).toReversed(), wide(5_000)]) {
    expect(problemsOf(jobs)).toBeUndefined();
  }
});

test('thousands of problems are found as well', () => {
  const lost = wide(5_000).map(({ id }) => ({ id, needs: ['no-such-job'] }));
  expect(problemsOf(lost)).toMatch(/And 4994 more\.$/);
  const all = Array.from({ length: 400 }, (_, index) => `all-${index}`);
  const everyoneNeedsAll = all.map((id) => ({ id, needs: all }));
  expect(problemsOf(everyoneNeedsAll)).toMatch(/And 80192 more\.$/);
});

test('exactly the bad graphs are refused, and every circle named is one', () => {
  fc.assert(
    fc.property(anyGraph, (jobs) => {
      const known = new Set(jobs.map(({ id }) => id));
      const isBad = jobs.some(
        ({ id, needs = [] }) =>
          needs.some((need) => !known.has(need)) || ancestorsOf(jobs, id).has(id),
      );
      const message = problemsOf(jobs);
      expect(message !== undefined).toBe(isBad);
      const circles = [...(message ?? '').matchAll(/circle: (.+?)\./g)].map(
        ([, path]) => path ?? '',
      );
      expect(new Set(circles).size).toBe(circles.length);
      for (const circle of circles) {
        const ids = circle.split(' → ');
        expect(ids.at(-1)).toBe(ids[0]);
        expect(new Set(ids).size).toBe(ids.length - 1);
        // They were written in the order of their ids, each of one digit.
        expect(ids[0]).toBe([...ids].sort()[0]);
        ids.slice(1).forEach((need, index) => {
          expect(jobs.find(({ id }) => id === ids[index])?.needs).toContain(need);
        });
      }
    }),
    { numRuns: 2_000 },
  );
});

test('without the needs that close the named circles nothing is wrong any more', () => {
  fc.assert(
    fc.property(anyGraph, (jobs) => {
      const known = new Set(jobs.map(({ id }) => id));
      const clean = jobs.map(({ id, needs = [] }) => ({
        id,
        needs: needs.filter((need) => known.has(need) && need !== id),
      }));
      const message = problemsOf(clean) ?? '';
      fc.pre(!message.includes('more.'));
      const named = [...message.matchAll(/circle: (.+?)\./g)].map(([, path]) => path ?? '');
      const steps = new Set(
        named.flatMap((path) => {
          const ids = path.split(' → ');
          return ids.slice(1).map((need, index) => `${ids[index]} ${need}`);
        }),
      );
      const cut = clean.map(({ id, needs }) => ({
        id,
        needs: needs.filter((need) => !steps.has(`${id} ${need}`)),
      }));
      expect(problemsOf(cut)).toBeUndefined();
    }),
    { numRuns: 2_000 },
  );
});
