import { expect, test } from 'vitest';
import { Deadline } from '../src/transports/deadline.ts';

test('a deadline can be brought forward, never put off', async () => {
  const deadline = new Deadline();
  expect(deadline.within(600_000)).toBe(true);
  expect(deadline.within(700_000)).toBe(false);
  expect(deadline.within(10)).toBe(true);
  expect(deadline.within(20)).toBe(false);
  await deadline.passed;
});
