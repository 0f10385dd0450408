import { expect, test } from 'vitest';
import { asking, createWorld, failed, job, succeeded } from './world.ts';

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

test('a plan waits no longer for one that is deleted', async () => {
  await using world = await createWorld();
  const first = await world.create({ name: 'first', jobs: [job('one')], paused: true });
  const second = await world.create({ name: 'second', jobs: [job('two')], after: first });
  await world.service.control(first, { action: 'delete' });
  expect(await world.stateOf(second)).toBe('paused');
  await world.service.control(second, { action: 'start' });
  expect(await world.drain()).toEqual(['two']);
});

test('a draft after a plan that was deleted starts only if that had succeeded', async () => {
  await using world = await createWorld();
  for (const result of [succeeded, failed]) {
    const first = await world.create({ name: 'first', jobs: [job('one')] });
    const draft = await world.create({
      name: 'second',
      jobs: [job('two')],
      after: first,
      draft: true,
    });
    await world.end(await world.begin(), result);
    await world.service.control(first, { action: 'delete' });
    await world.service.edit({ plan: draft, finalize: true }, asking);
    expect(await world.stateOf(draft)).toBe(result === succeeded ? 'running' : 'paused');
    await world.drain();
  }
});
