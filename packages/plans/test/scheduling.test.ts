import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asRetry, MAX_JOBS, Turns } from '../src/scheduling.ts';

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
  fc.record({ group: fc.string({ minLength: 1, maxLength: 3 }), running: fc.nat({ max: 3 }) }),
  { selector: ({ group }) => group, maxLength: 8 },
);

test('every plan has its turn: fewest running first, then the one whose turn was longest ago', () => {
  fc.assert(
    fc.property(anyPlans, fc.array(fc.nat({ max: 7 }), { maxLength: 20 }), (plans, taken) => {
      const turns = new Turns();
      const last = new Map<string, number>();
      for (const [turn, index] of taken.entries()) {
        const plan = plans[index];
        if (plan) turns.take(plan.group);
        if (plan) last.set(plan.group, turn);
      }
      const next = turns.next(plans);
      const fewest = Math.min(...plans.map(({ running }) => running));
      const candidates = plans.filter(({ running }) => running === fewest);
      const lastOf = ({ group }: { group: string }) => last.get(group) ?? -1;
      const longestAgo = Math.min(...candidates.map(lastOf));
      expect(next).toBe(candidates.find((plan) => lastOf(plan) === longestAgo));
    }),
  );
});

test('who always takes the first keeps plans with equal work in step', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.nat({ max: 30 }), (count, claims) => {
      const plans = Array.from({ length: count }, (_, index) => ({
        group: `${index}`,
        running: 0,
      }));
      const turns = new Turns();
      for (let turn = 0; turn < claims; turn++) {
        const first = turns.next(plans);
        if (!first) throw new Error('there is no plan');
        first.running += 1;
        turns.take(first.group);
      }
      const counts = plans.map(({ running }) => running);
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    }),
  );
});

test('a plan that is forgotten comes first when it is back', () => {
  const turns = new Turns();
  const [one, two] = [
    { group: 'one', running: 0 },
    { group: 'two', running: 0 },
  ];
  turns.take('one');
  turns.take('two');
  expect(turns.next([two, one])).toBe(one);
  turns.forget('two');
  expect(turns.next([one, two])).toBe(two);
});
