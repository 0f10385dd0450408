import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longestWithin } from '../parts-under-test.ts';

test('nearly the longest beginning that fits, counted a few times', () => {
  const text = fc.string({ minLength: 1, maxLength: 5000 });
  const room = fc.integer({ min: 8, max: 2000 });
  // Some texts are dearer at their beginning, and some at their end.
  const bend = fc.constantFrom(0.7, 1, 1.4);
  fc.assert(
    fc.property(text, room, fc.integer({ min: 1, max: 9 }), bend, (whole, most, each, power) => {
      let times = 0;
      const priceAt = (length: number) => Math.ceil((length / each) ** power);
      const priceOf = (part: string) => {
        times += 1;
        return priceAt(part.length);
      };
      const { length, price } = longestWithin(whole, most, priceOf);
      expect(price).toBe(priceAt(length));
      expect(price).toBeLessThanOrEqual(most);
      if (length < whole.length) {
        expect(priceAt(length + 1)).toBeGreaterThanOrEqual(Math.floor(most * 0.97) - 1);
      }
      expect(times).toBeLessThan(15);
    }),
    { seed: 80_000, numRuns: 2000 },
  );
});

test('of a text that is far too long, little is counted', () => {
  let counted = 0;
  const priceOf = (part: string) => {
    counted += part.length;
    return Math.ceil(part.length / 4);
  };
  longestWithin('x'.repeat(1_000_000), 100, priceOf);
  expect(counted).toBeLessThan(5000);
});
