import fc from 'fast-check';
import type { GraphJob } from '../src/graph.ts';

const idOf = (index: number) => `job-${index}`;

/** Each needs only what was made before it, some of it twice; then they are shuffled. */
export const soundGraph = fc
  .array(fc.array(fc.nat(), { maxLength: 4 }), { maxLength: 9 })
  .map((all) =>
    all.map(
      (needs, index): GraphJob => ({
        id: idOf(index),
        ...(index > 0 && { needs: needs.map((at) => idOf(at % index)) }),
      }),
    ),
  )
  .chain((jobs) => fc.shuffledSubarray(jobs, { minLength: jobs.length }));

/** Needs in any direction, so that there are cycles of every kind, and some that lead nowhere. */
export const anyGraph = fc
  .array(fc.array(fc.nat(8), { maxLength: 3 }), { minLength: 1, maxLength: 8 })
  .map((all) => all.map((needs, index): GraphJob => ({ id: idOf(index), needs: needs.map(idOf) })));

/** Each needs the one before. */
export const chain = (length: number): GraphJob[] =>
  Array.from({ length }, (_, index) => ({
    id: idOf(index),
    needs: index === 0 ? [] : [idOf(index - 1)],
  }));

/** All need the first, and the last needs all of them. */
export const wide = (width: number): GraphJob[] => {
  const middle = Array.from({ length: width }, (_, index) => ({
    id: idOf(index),
    needs: ['first'],
  }));
  return [{ id: 'first' }, ...middle, { id: 'last', needs: middle.map(({ id }) => id) }];
};
