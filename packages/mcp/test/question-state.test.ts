import { cites } from '@baton/e2e/requirements';
import { createFakeClock, createFakeIds } from '@baton/testkit';
import { afterEach, expect, test, vi } from 'vitest';
import { callFingerprint, createQuestionStates } from '../src/question-state.ts';

afterEach(() => vi.useRealTimers());

test(`${cites('ASK-SIGNED', 'T35')} expires after ten minutes`, async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const states = createQuestionStates(createFakeClock(), createFakeIds());
  const fresh = await states.mint('me', 'call', [], {});
  const old = await states.mint('me', 'call', [], {});
  expect(await states.verify(fresh)).toMatchObject({ scope: 'me' });
  vi.setSystemTime(Date.now() + 601_000);
  await expect(states.verify(old)).rejects.toThrow('expired');
});

test(`${cites('ASK-SIGNED', 'T35')} expires even if the wall clock is set back`, async () => {
  const clock = createFakeClock();
  const states = createQuestionStates(clock, createFakeIds());
  const minted = await Promise.all([1, 2].map(() => states.mint('me', 'call', [], {})));
  const [used, unused] = await Promise.all(minted.map((state) => states.verify(state)));
  expect(states.answers(used, 'me', 'call', {})).toEqual({});
  clock.advance(601_000);
  for (const state of [used, unused]) {
    expect(() => states.answers(state, 'me', 'call', {})).toThrow('Invalid or expired');
  }
});

test(`${cites('ASK-SIGNED', 'T35')} belongs to one scope and one call, and carries its answers`, async () => {
  const states = createQuestionStates(createFakeClock(), createFakeIds());
  const call = await callFingerprint('tools/call', 'deploy', { to: 'production' });
  const answered = { sure: { yes: true } };
  const verified = await states.verify(await states.mint('me', call, ['why'], answered));
  expect(() => states.answers(verified, 'you', call, {})).toThrow(
    'Invalid or expired requestState',
  );
  for (const other of [
    await callFingerprint('tools/call', 'deploy', { to: 'staging' }),
    await callFingerprint('tools/call', 'erase', { to: 'production' }),
    await callFingerprint('prompts/get', 'deploy', { to: 'production' }),
  ]) {
    expect(() => states.answers(verified, 'me', other, {})).toThrow('Invalid or expired');
  }
  // None of that has used it up; this does.
  const latest = { why: 'so', sure: { yes: false }, later: 'never asked' };
  expect(states.answers(verified, 'me', call, latest)).toEqual({ sure: { yes: true }, why: 'so' });
  expect(() => states.answers(verified, 'me', call, {})).toThrow('Invalid or expired');
});

test(`${cites('ASK-SIGNED', 'T35')} another process cannot read it`, async () => {
  const [ours, theirs] = [0, 1].map(() => createQuestionStates(createFakeClock(), createFakeIds()));
  await expect(theirs?.verify((await ours?.mint('me', 'call', [], {})) ?? '')).rejects.toThrow(
    'mac',
  );
});
