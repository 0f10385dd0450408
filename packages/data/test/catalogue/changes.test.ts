import { spawnSync } from 'node:child_process';
import { renameSync, symlinkSync, unlinkSync, utimesSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { DataWorld, idsOf, values } from './data-world.ts';

const numbers = (...all: readonly number[]) => `n\n${all.join('\n')}\n`;

it('the next call sees what was changed, added, removed and renamed', async () => {
  using world = new DataWorld({ 'a.csv': numbers(1) });
  const service = world.service();
  const versions = new Set<string>();
  const expectNow = async (expected: Readonly<Record<string, readonly number[]>>) => {
    const { categories, version } = await service.overview();
    expect(categories.map(({ id }) => id)).toEqual(Object.keys(expected));
    for (const [id, wanted] of Object.entries(expected)) {
      expect(await values(service, `SELECT n FROM ${id} ORDER BY n`)).toEqual(wanted);
    }
    expect(versions.has(version)).toBe(false);
    versions.add(version);
  };
  await expectNow({ a: [1] });
  world.write('a.csv', numbers(2)); // As long as before, and perhaps within the same tick.
  await expectNow({ a: [2] });
  world.write('deep/er/b.csv', numbers(3, 4));
  await expectNow({ a: [2], b: [3, 4] });
  world.write('deep/er/b.csv', numbers(3, 5));
  await expectNow({ a: [2], b: [3, 5] });
  renameSync(world.file('deep'), world.file('deeper'));
  renameSync(world.file('deeper/er/b.csv'), world.file('deeper/c.csv'));
  await expectNow({ a: [2], c: [3, 5] });
  world.write('catalog.yaml', 'categories: {c: {id: renamed}}');
  await expectNow({ a: [2], renamed: [3, 5] });
  world.remove('catalog.yaml');
  world.remove('a.csv');
  world.write('a.json', '[{"n":7}]');
  await expectNow({ a: [7], c: [3, 5] });
  world.remove('.');
  await expectNow({});
  world.write('late.csv', numbers(8));
  await expectNow({ late: [8] });
});

it('what another process writes is seen, even with the time and the size of before', async () => {
  using world = new DataWorld({ 'a.csv': numbers(1) });
  const [service, other] = [world.service(), world.service()];
  const past = new Date(2020, 1, 1);
  utimesSync(world.file('a.csv'), past, past);
  expect(await values(service, 'FROM a')).toEqual([1]);
  expect(await values(other, 'FROM a')).toEqual([1]);
  const script = `const fs = require('fs'); fs.writeFileSync(process.argv[1], 'n\\n2\\n');
    fs.utimesSync(process.argv[1], ${past.getTime() / 1000}, ${past.getTime() / 1000})`;
  expect(spawnSync(process.execPath, ['-e', script, world.file('a.csv')]).status).toBe(0);
  expect(await values(service, 'FROM a')).toEqual([2]);
  expect(await values(other, 'FROM a')).toEqual([2]);
});

it('a file that becomes unusable is left out and comes back', async () => {
  using world = new DataWorld({ 'a.json': '[{"n":1}]', 'b.csv': numbers(1) });
  const service = world.service();
  expect(await idsOf(service)).toEqual(['a', 'b']);
  world.write('a.json', '[{"n":');
  expect(await idsOf(service)).toEqual(['b']);
  unlinkSync(world.file('a.json'));
  symlinkSync('/etc/passwd', world.file('a.json'));
  expect(await idsOf(service)).toEqual(['b']);
  unlinkSync(world.file('a.json'));
  world.write('a.json', '[{"n":2}]');
  expect(await values(service, 'FROM a')).toEqual([2]);
});

it('calls at the same time as changes get one state or the other, never a mixture', async () => {
  using world = new DataWorld({ 'a.csv': numbers(0, 0), 'b.csv': numbers(0, 0) });
  const service = world.service();
  for (let round = 1; round <= 5; round++) {
    const asked = [1, 2, 3].map(() => values(service, 'SELECT n FROM a'));
    world.write('a.csv', numbers(round, round));
    for (const [first, second] of await Promise.all(asked)) expect(first).toBe(second);
    expect(await values(service, 'SELECT n FROM a')).toEqual([round, round]);
  }
});

it('whoever watches a category is told once for each change of it', async () => {
  using world = new DataWorld({ 'a.csv': numbers(1), 'b.csv': numbers(1) });
  const service = world.service();
  const [a, b] = [vi.fn(), vi.fn()];
  const end = await service.watch('a', a);
  const endB = await service.watch('b', b);
  world.write('a.csv', numbers(1, 2));
  world.write('a.csv', numbers(1, 2, 3));
  await vi.waitFor(() => expect(a).toHaveBeenCalledTimes(1));
  world.write('b.csv', numbers(5));
  await vi.waitFor(() => expect(b).toHaveBeenCalledTimes(1));
  // A file that says the same is no news, nor is a description of another category.
  world.write('b.csv', numbers(5));
  world.write('a.csv', numbers(4));
  await vi.waitFor(() => expect(a).toHaveBeenCalledTimes(2));
  end();
  world.write('a.csv', numbers(9));
  world.write('b.csv', numbers(6));
  await vi.waitFor(() => expect(b).toHaveBeenCalledTimes(2));
  await after(0);
  expect(a).toHaveBeenCalledTimes(2);
  endB();
});

it('what does not exist cannot be watched', async () => {
  using world = new DataWorld({ 'a.csv': numbers(1) });
  const watching = world.service().watch('b', () => {});
  await expect(watching).rejects.toMatchObject({ code: 'data_category_unknown' });
});
