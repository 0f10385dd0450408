import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  FAILURE_REASONS,
  FAILURES,
  FAULTLESS_TRIES,
  maxAttempts,
  retryIn,
} from '../src/failure.ts';

const anyReason = fc.constantFrom(...FAILURE_REASONS);
const anyRetry = fc.oneof(fc.constant('never' as const), fc.nat({ max: 10 }));
const anyFailures = fc.integer({ min: 1, max: 30 });

test('what is never retried, or would only happen again, is not tried again', () => {
  fc.assert(
    fc.property(anyReason, anyRetry, anyFailures, (reason, retry, failures) => {
      const isHopeless = retry === 'never' || FAILURES[reason] === 'never';
      if (isHopeless) expect(retryIn(reason, { retry, failures, tries: failures })).toBeUndefined();
    }),
  );
});

test('a job is tried again as often as it asks, and what is not its fault always', () => {
  fc.assert(
    fc.property(anyReason, fc.nat({ max: 10 }), anyFailures, (reason, retry, failures) => {
      const isTried = retryIn(reason, { retry, failures, tries: failures }) !== undefined;
      const rule = FAILURES[reason];
      const isRight = rule === 'always' || (rule === 'if asked' && failures <= retry);
      expect(isTried).toBe(isRight);
    }),
  );
});

test.each([
  ['exit_code', [1000, 2000, 4000]],
  ['start_no_resources', [5000, 10_000, 20_000]],
] as const)('%s: each wait is twice as long as the one before, up to a minute', (reason, waits) => {
  const wait = (count: number) => retryIn(reason, { retry: 100, failures: count, tries: count });
  expect([1, 2, 3].map(wait)).toEqual(waits);
  expect([50, 100].map(wait)).toEqual([60_000, 60_000]);
});

test('the machine gets more time with each try that it fails, whatever the job has failed', () => {
  const wait = (tries: number) => retryIn('log_failed', { retry: 0, failures: 0, tries });
  expect([1, 2].map(wait)).toEqual([5000, 10_000]);
});

test('a job can ask for tries by reason', () => {
  const retry = { exit_code: 2, check_failed: 1 };
  const isTried = (reason: 'exit_code' | 'check_failed' | 'timeout', alike: number) =>
    retryIn(reason, { retry, failures: 3, alike, tries: 3 }) !== undefined;
  expect([1, 2, 3].map((alike) => isTried('exit_code', alike))).toEqual([true, true, false]);
  expect([1, 2].map((alike) => isTried('check_failed', alike))).toEqual([true, false]);
  expect(isTried('timeout', 1)).toBe(false);
  expect(maxAttempts(retry)).toBe(3 + FAULTLESS_TRIES);
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
