import { expect, test } from 'vitest';
import { createWorld, failed, job, NEVER } from './world.ts';

test('the list of jobs tells how each stands, in the order of writing', async () => {
  await using world = await createWorld();
  const jobs = [
    { ...job('zeta'), group: 'a/b', name: 'Z' },
    { ...job('alpha'), retry: 1 },
    job('last', 'zeta'),
  ];
  const plan = await world.create({ name: 'p', jobs });
  const list = async () => (await world.service.look({ plan, view: 'jobs' }, NEVER)).list;
  await world.end(await world.begin());
  await world.end(await world.begin(), failed);
  expect(await list()).toEqual({
    from: 0,
    jobs: [
      expect.objectContaining({
        id: 'zeta',
        state: 'succeeded',
        group: 'a/b',
        name: 'Z',
        attempt: 1,
      }),
      expect.objectContaining({ id: 'alpha', reason: 'exit_code', endedAt: expect.any(String) }),
      { id: 'last', state: 'ready' },
    ],
  });
});

test('a long list is paged below 10 kB, and every job is on one page', async () => {
  await using world = await createWorld();
  const jobs = Array.from({ length: 1000 }, (_, n) => ({
    ...job(`job-${n}`),
    ...(n % 3 === 0 && { name: '"'.repeat(200), group: 'g'.repeat(200) }),
  }));
  const plan = await world.create({ name: 'p', jobs });
  const seen: string[] = [];
  for (let from: number | undefined = 0; from !== undefined; ) {
    const view = await world.service.look({ plan, view: 'jobs', from }, NEVER);
    expect(JSON.stringify(view).length).toBeLessThan(10_000);
    seen.push(...(view.list?.jobs ?? []).map(({ id }) => id));
    from = view.list?.next;
  }
  expect(seen).toEqual(jobs.map(({ id }) => id));
  const end = await world.service.look({ plan, view: 'jobs', from: -2 }, NEVER);
  expect(end.list).toMatchObject({ from: 998, jobs: [{ id: 'job-998' }, { id: 'job-999' }] });
  const beyond = await world.service.look({ plan, view: 'jobs', from: 5000 }, NEVER);
  expect(beyond.list).toEqual({ from: 5000, jobs: [] });
});
