import { cites } from '@baton/e2e/requirements';
import { createFakeClock, createFakeIds } from '@baton/testkit';
import { afterEach, expect, test, vi } from 'vitest';
import { callFingerprint, createQuestionStates } from '../src/question-state.ts';

afterEach(() => vi.useRealTimers());

test(`${cites('ASK-SIGNED', 'T35')} expires after ten minutes`, async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const states = createQuestionStates(createFakeClock(), createFakeIds());
  const fresh = await states.mint('me', 'call', {});
  const old = await states.mint('me', 'call', {});
  expect(await states.verify(fresh)).toMatchObject({ scope: 'me' });
  vi.setSystemTime(Date.now() + 601_000);
  await expect(states.verify(old)).rejects.toThrow('expired');
});

test(`${cites('ASK-SIGNED', 'T35')} belongs to one scope and one call, and carries its answers`, async () => {
  const states = createQuestionStates(createFakeClock(), createFakeIds());
  const call = await callFingerprint('tools/call', 'deploy', { to: 'production' });
  const verified = await states.verify(await states.mint('me', call, { sure: { yes: true } }));
  expect(() => states.answers(verified, 'you', call)).toThrow('Invalid or expired requestState');
  for (const other of [
    await callFingerprint('tools/call', 'deploy', { to: 'staging' }),
    await callFingerprint('tools/call', 'erase', { to: 'production' }),
    await callFingerprint('prompts/get', 'deploy', { to: 'production' }),
  ]) {
    expect(() => states.answers(verified, 'me', other)).toThrow('Invalid or expired requestState');
  }
  // None of that has used it up; this does.
  expect(states.answers(verified, 'me', call)).toEqual({ sure: { yes: true } });
  expect(() => states.answers(verified, 'me', call)).toThrow('Invalid or expired requestState');
});

test(`${cites('ASK-SIGNED', 'T35')} another process cannot read it`, async () => {
  const [ours, theirs] = [0, 1].map(() => createQuestionStates(createFakeClock(), createFakeIds()));
  await expect(theirs?.verify((await ours?.mint('me', 'call', {})) ?? '')).rejects.toThrow('mac');
});
