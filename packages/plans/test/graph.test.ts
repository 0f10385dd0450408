import { BatonError } from '@baton/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ancestorsOf,
  criticalPath,
  dependentsOf,
  type GraphJob,
  inOrder,
  readySet,
  remainingPaths,
} from '../src/graph.ts';
import { chain, soundGraph, wide } from './random-graphs.ts';

const needsOf = (jobs: readonly GraphJob[], id: string) =>
  jobs.find((job) => job.id === id)?.needs ?? [];

const neededBy = (jobs: readonly GraphJob[], id: string) =>
  jobs.filter(({ needs }) => needs?.includes(id)).map((job) => job.id);

/** Every path from a job on to a leaf. */
function pathsFrom(jobs: readonly GraphJob[], id: string): string[][] {
  const next = neededBy(jobs, id);
  if (next.length === 0) return [[id]];
  return next.flatMap((dependent) => pathsFrom(jobs, dependent).map((path) => [id, ...path]));
}

function naiveAncestors(jobs: readonly GraphJob[], id: string): string[] {
  return needsOf(jobs, id).flatMap((need) => [need, ...naiveAncestors(jobs, need)]);
}

test('the order takes at each step the first written of those that are free', () => {
  fc.assert(
    fc.property(soundGraph, (jobs) => {
      const left = [...jobs];
      const done = new Set<string>();
      const order: GraphJob[] = [];
      while (left.length > 0) {
        const at = left.findIndex(({ needs = [] }) => needs.every((need) => done.has(need)));
        const [job] = left.splice(at, 1) as [GraphJob];
        done.add(job.id);
        order.push(job);
      }
      expect(inOrder(jobs)).toEqual(order);
      expect(inOrder(order)).toEqual(order);
    }),
    { numRuns: 2_000 },
  );
});

test('jobs that are free at the same time stay as written', () => {
  const jobs = [
    { id: 'ship', needs: ['test', 'lint'] },
    { id: 'test' },
    { id: 'docs' },
    { id: 'lint' },
  ];
  expect(inOrder(jobs).map(({ id }) => id)).toEqual(['test', 'docs', 'lint', 'ship']);
});

test('an order that does not exist is refused with the reason', () => {
  const circle = [
    { id: 'one', needs: ['two'] },
    { id: 'two', needs: ['one'] },
  ];
  for (const ask of [inOrder, remainingPaths]) {
    expect(() => ask(circle)).toThrow(BatonError);
    expect(() => ask(circle)).toThrow('one → two → one');
  }
});

test('the remaining path of a job is the longest of all its paths', () => {
  fc.assert(
    fc.property(soundGraph, (jobs) => {
      const naive = jobs.map(({ id }) => [
        id,
        Math.max(...pathsFrom(jobs, id).map((path) => path.length)),
      ]);
      expect(Object.fromEntries(remainingPaths(jobs))).toEqual(Object.fromEntries(naive));
    }),
    { numRuns: 2_000 },
  );
});

test('no path takes longer than the critical one, which is a path', () => {
  fc.assert(
    fc.property(soundGraph, fc.array(fc.nat(9), { minLength: 9, maxLength: 9 }), (jobs, times) => {
      const duration = (id: string) => times[Number(id.slice(4))] ?? 0;
      const total = (ids: readonly string[]) => ids.reduce((sum, id) => sum + duration(id), 0);
      const { ids, ms } = criticalPath(jobs, duration);
      const all = jobs
        .filter(({ id }) => needsOf(jobs, id).length === 0)
        .flatMap(({ id }) => pathsFrom(jobs, id));
      expect(ms).toBe(Math.max(0, ...all.map(total)));
      expect(total(ids)).toBe(ms);
      expect(jobs.length === 0 ? [[]] : all).toContainEqual(ids);
    }),
    { numRuns: 2_000 },
  );
});

test('the critical path goes from end to end and is the first of several', () => {
  const jobs = [
    { id: 'build' },
    { id: 'test', needs: ['build'] },
    { id: 'lint', needs: ['build'] },
    { id: 'ship', needs: ['test', 'lint'] },
  ];
  expect(criticalPath(jobs, () => 0)).toEqual({ ids: ['build', 'test', 'ship'], ms: 0 });
  const durations: Record<string, number> = { build: 5, test: 1, lint: 2, ship: 0 };
  const path = criticalPath(jobs, (id) => durations[id] ?? 0);
  expect(path).toEqual({ ids: ['build', 'lint', 'ship'], ms: 7 });
  expect(criticalPath([], () => 1)).toEqual({ ids: [], ms: 0 });
});

test('ancestors and dependents are all of them, and the reverse of each other', () => {
  fc.assert(
    fc.property(soundGraph, (jobs) => {
      for (const { id } of jobs) {
        const ancestors = ancestorsOf(jobs, id);
        expect([...ancestors].sort()).toEqual([...new Set(naiveAncestors(jobs, id))].sort());
        const dependents = jobs.filter((job) => ancestorsOf(jobs, job.id).has(id));
        expect([...dependentsOf(jobs, id)].sort()).toEqual(dependents.map((job) => job.id).sort());
      }
    }),
  );
  expect(ancestorsOf([{ id: 'one' }], 'nobody')).toEqual(new Set());
  expect(dependentsOf([{ id: 'one' }], 'nobody')).toEqual(new Set());
});

test('running what is ready, again and again, runs everything after its needs', () => {
  fc.assert(
    fc.property(soundGraph, (jobs) => {
      const done = new Set<string>();
      for (let ready = readySet(jobs, done); ready.length > 0; ready = readySet(jobs, done)) {
        for (const id of ready) {
          expect(done.has(id)).toBe(false);
          expect(needsOf(jobs, id).filter((need) => !done.has(need))).toEqual([]);
        }
        for (const id of ready) done.add(id);
      }
      expect(done.size).toBe(jobs.length);
    }),
  );
  expect(readySet([{ id: 'b' }, { id: 'c', needs: ['b'] }, { id: 'a' }], new Set())).toEqual([
    'b',
    'a',
  ]);
});

test('a chain of ten thousand jobs and a plan five thousand wide need no stack', () => {
  const long = chain(10_000);
  for (const jobs of [long, long.toReversed()]) {
    expect(inOrder(jobs)).toEqual(long);
    expect(remainingPaths(jobs).get('job-0')).toBe(10_000);
    expect(criticalPath(jobs, () => 2)).toEqual({ ids: long.map(({ id }) => id), ms: 20_000 });
    expect(ancestorsOf(jobs, 'job-9999').size).toBe(9_999);
    expect(dependentsOf(jobs, 'job-0').size).toBe(9_999);
  }
  const broad = wide(5_000);
  expect(inOrder(broad.toReversed()).at(-1)?.id).toBe('last');
  expect(remainingPaths(broad).get('first')).toBe(3);
  expect(dependentsOf(broad, 'first').size).toBe(5_001);
  expect(readySet(broad, new Set(['first'])).length).toBe(5_000);
});
