import fc from 'fast-check';
import { expect, test } from 'vitest';
import { settle } from '../src/needs.ts';
import type { WorkState } from '../src/tables.ts';

interface Item {
  readonly id: string;
  readonly needs: readonly string[];
}

const STATES: readonly WorkState[] = [
  'waiting',
  'ready',
  'running',
  'succeeded',
  'failed',
  'blocked',
  'cancelled',
];

const ids = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const NEW = ids('new', 7);
const OLD = ids('old', 4);

const existing = fc
  .array(fc.constantFrom(...STATES), { minLength: OLD.length, maxLength: OLD.length })
  .map((states) => new Map(OLD.map((id, index) => [id, states[index] as WorkState])));

/** Needs in any direction, so that there are circles, and some that do not exist. */
const anyItems = fc
  .array(fc.array(fc.constantFrom(...NEW, ...OLD, 'nobody'), { maxLength: 4 }), { maxLength: 7 })
  .map((needs) => needs.map((of, index): Item => ({ id: NEW[index] as string, needs: of })));

/** Each needs only what stands before it; then they are shuffled. */
const soundItems = fc
  .array(fc.array(fc.nat(), { maxLength: 4 }), { maxLength: 7 })
  .map((needs) =>
    needs.map((of, index): Item => {
      const before = [...OLD, ...NEW.slice(0, index)];
      return { id: NEW[index] as string, needs: of.map((at) => before[at % before.length] ?? '') };
    }),
  )
  .chain((items) => fc.shuffledSubarray(items, { minLength: items.length }));

test('what new work waits for is what a naive model says', () => {
  fc.assert(
    fc.property(soundItems, existing, (items, states) => {
      const settled = settle(items, states);
      expect([...settled.keys()].sort()).toEqual(items.map(({ id }) => id).sort());
      for (const { id, needs } of items) {
        expect(settled.get(id)).toEqual(naive(needs, items, states));
      }
    }),
    { numRuns: 2_000 },
  );
});

test('circles and unknown needs are refused, and nothing else is', () => {
  fc.assert(
    fc.property(anyItems, existing, (items, states) => {
      const isCircle = items.some(({ id }) => isReachable(id, id, items));
      const known = new Set([...items.map(({ id }) => id), ...states.keys()]);
      const isUnknown = items.some(({ needs }) => needs.some((needed) => !known.has(needed)));
      const code = isCircle ? 'needs_circle' : isUnknown ? 'need_unknown' : undefined;
      expect(refusalOf(() => settle(items, states))).toBe(code);
    }),
    { numRuns: 2_000 },
  );
});

test('the order in which work is added changes nothing', () => {
  const orders = soundItems.chain((items) =>
    fc.tuple(fc.constant(items), fc.shuffledSubarray(items, { minLength: items.length })),
  );
  fc.assert(
    fc.property(orders, existing, ([items, shuffled], states) => {
      const asText = (of: readonly Item[]) => JSON.stringify([...settle(of, states)].sort());
      expect(asText(shuffled)).toBe(asText(items));
    }),
  );
});

test('a chain may be as long as it likes', () => {
  const chain = ids('job', 50_000).map((id, index) => ({
    id,
    needs: index === 0 ? [] : [`job${index - 1}`],
  }));
  const settled = settle(chain, new Map());
  expect(settled.get('job0')).toEqual({ state: 'ready', openNeeds: 0 });
  expect(settled.get('job49999')).toEqual({ state: 'waiting', openNeeds: 1 });
});

/** By the words of the rule, without any order: fine for a handful. */
function naive(
  needs: readonly string[],
  items: readonly Item[],
  states: ReadonlyMap<string, WorkState>,
): { state: string; openNeeds: number } {
  const stateOf = (id: string): string => {
    const item = items.find((each) => each.id === id);
    return item ? naive(item.needs, items, states).state : (states.get(id) as string);
  };
  const found = [...new Set(needs)].map(stateOf);
  const openNeeds = found.filter((state) => state !== 'succeeded').length;
  const isHopeless = found.some((state) => ['failed', 'cancelled', 'blocked'].includes(state));
  if (isHopeless) return { state: 'blocked', openNeeds };
  return { state: openNeeds > 0 ? 'waiting' : 'ready', openNeeds };
}

function isReachable(from: string, to: string, items: readonly Item[]): boolean {
  const reached = new Set<string>();
  const needsOf = (id: string) => items.find((each) => each.id === id)?.needs ?? [];
  for (const id of needsOf(from)) reached.add(id);
  for (const id of reached) for (const next of needsOf(id)) reached.add(next);
  return reached.has(to);
}

function refusalOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
}
