import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asRetry, fairOrder, MAX_JOBS } from '../src/scheduling.ts';

const anyPath = fc.integer({ min: 1, max: MAX_JOBS });

test('every retry comes before all that was not tried, and among retries the longer path', () => {
  fc.assert(
    fc.property(anyPath, anyPath, (one, other) => {
      expect(asRetry(one)).toBeGreaterThan(other);
      expect(Math.sign(asRetry(one) - asRetry(other))).toBe(Math.sign(one - other));
    }),
  );
});

test('what is retried again and again keeps its place', () => {
  fc.assert(
    fc.property(anyPath, (path) => {
      expect(asRetry(asRetry(path))).toBe(asRetry(path));
    }),
  );
});

const anyPlans = fc.uniqueArray(
  fc.record({
    group: fc.string({ minLength: 1, maxLength: 3 }),
    running: fc.nat({ max: 3 }),
    turn: fc.option(fc.nat({ max: 5 }), { nil: undefined }),
  }),
  { selector: ({ group }) => group, maxLength: 8 },
);

test('every plan has its turn: fewest running first, then the one whose turn was longest ago', () => {
  fc.assert(
    fc.property(anyPlans, (plans) => {
      const turns = new Map(
        plans.flatMap(({ group, turn }) => (turn === undefined ? [] : [[group, turn] as const])),
      );
      const order = fairOrder(plans, turns);
      expect([...order].sort()).toEqual(plans.map(({ group }) => group).sort());
      const ordered = order.flatMap((id) => plans.filter(({ group }) => group === id));
      for (const [index, next] of ordered.slice(1).entries()) {
        const before = ordered[index];
        if (!before) continue;
        expect(before.running).toBeLessThanOrEqual(next.running);
        if (before.running < next.running) continue;
        expect(before.turn ?? -1).toBeLessThanOrEqual(next.turn ?? -1);
      }
    }),
  );
});

test('who always takes the first keeps plans with equal work in step', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.nat({ max: 30 }), (count, claims) => {
      const running = new Map(Array.from({ length: count }, (_, index) => [`plan-${index}`, 0]));
      const turns = new Map<string, number>();
      for (let turn = 0; turn < claims; turn++) {
        const groups = [...running].map(([group, already]) => ({ group, running: already }));
        const [first = ''] = fairOrder(groups, turns);
        running.set(first, (running.get(first) ?? 0) + 1);
        turns.set(first, turn);
      }
      const counts = [...running.values()];
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    }),
  );
});
