import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  FAILURE_REASONS,
  FAILURES,
  FAULTLESS_TRIES,
  maxAttempts,
  type Retry,
  retryIn,
} from '../src/failure.ts';

const anyReason = fc.constantFrom(...FAILURE_REASONS);
const anyRetry = fc.oneof(fc.constant<Retry>('never'), fc.nat({ max: 10 }));
const anyFailures = fc.nat({ max: 30 });

test('what is never retried, or would only happen again, is not tried again', () => {
  fc.assert(
    fc.property(anyReason, anyRetry, anyFailures, (reason, retry, failures) => {
      const isHopeless = retry === 'never' || FAILURES[reason] === 'never';
      if (isHopeless) expect(retryIn(reason, { retry, failures })).toBeUndefined();
    }),
  );
});

test('a job is tried again as often as it asks, and what is not its fault always', () => {
  fc.assert(
    fc.property(anyReason, fc.nat({ max: 10 }), anyFailures, (reason, retry, failures) => {
      const isTried = retryIn(reason, { retry, failures }) !== undefined;
      const rule = FAILURES[reason];
      const isRight = rule === 'always' || (rule === 'if asked' && failures <= retry);
      expect(isTried).toBe(isRight);
    }),
  );
});

test('each wait is at least as long as the one before, from a second to a minute', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 }), (failures) => {
      const wait = (count: number) => retryIn('worker_lost', { retry: 0, failures: count }) ?? -1;
      expect(wait(failures)).toBeGreaterThanOrEqual(1000);
      expect(wait(failures)).toBeLessThanOrEqual(60_000);
      expect(wait(failures + 1)).toBeGreaterThanOrEqual(wait(failures));
    }),
  );
});

test('the tries of a job are bounded, and leave room for all that it asks for', () => {
  fc.assert(
    fc.property(anyRetry, (retry) => {
      const most = maxAttempts(retry);
      expect(most).toBe(retry === 'never' ? 1 : retry + FAULTLESS_TRIES);
      if (retry !== 'never') expect(most).toBeGreaterThan(retry + 1);
    }),
  );
});
