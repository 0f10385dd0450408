import { expect, test } from 'vitest';
import { createWorld, job } from './world.ts';

test('a plan waits no longer for one that was cancelled before it started', async () => {
  await using world = await createWorld();
  const first = await world.create({ name: 'first', jobs: [job('one')], paused: true });
  const second = await world.create({ name: 'second', jobs: [job('two')], after: first });
  const third = await world.create({ name: 'third', jobs: [job('three')], after: second });
  await world.service.control(first, { action: 'cancel' });
  expect(await world.stateOf(second)).toBe('paused');
  expect(await world.stateOf(third)).toBe('waiting');
  await world.service.control(second, { action: 'cancel' });
  expect(await world.stateOf(third)).toBe('paused');
});
