import { expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import { PlanWorld } from './plan-world.ts';
import { changeJobs } from './stored-rows.ts';

test(`${cites('PLAN-SURVIVES')} a result that the store refuses holds up no other plan`, async () => {
  await using world = new PlanWorld();
  const server = world.server('auto');
  const poisoned = await server.create({
    paused: true,
    jobs: [
      { id: 'bad', work: { type: 'shell', command: 'true', shell: 'no-such-shell' } },
      { id: 'good', work: 'echo ran >> good' },
    ],
  });
  // No door lets it in; an older version might have.
  await changeJobs(world.state, 'no-such-shell', 'no\\u0000shell');
  await server.control(poisoned, 'start');
  const other = await server.create({ jobs: [{ id: 'other', work: 'echo ran >> other' }] });
  expect(await server.ended(other)).toMatchObject({ state: 'succeeded' });
  expect(await server.ended(poisoned)).toMatchObject({
    state: 'failed',
    failed: [{ job: 'bad', reason: 'internal' }],
  });
  expect(world.lines('good')).toEqual(['ran']);
});
