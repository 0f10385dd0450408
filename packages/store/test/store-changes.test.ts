import path from 'node:path';
import { createFakeClock, createMemoryLog, temporaryFolder } from '@baton/testkit';
import { expect, test, vi } from 'vitest';
import type { Driver } from '../src/driver.ts';
import { loadBinding } from '../src/drivers/sqlite/binding.ts';
import { SqliteDriver } from '../src/drivers/sqlite/sqlite.ts';
import { addEvents } from '../src/events.ts';
import { LeaseWatch } from '../src/lease-watch.ts';
import { migrate, storeSchema } from '../src/migrate.ts';
import { createProcesses } from '../src/processes.ts';
import { StoreChanges } from '../src/store-changes.ts';
import { testedBinding } from './sqlite-place.ts';

test('nothing is watched unless somebody listens', async () => {
  await using opened = await open();
  const { driver, watches } = opened;
  const changes = new StoreChanges(driver, createMemoryLog());
  changes.wake();
  expect(watches).toEqual({ begun: 0, ended: 0 });
  const ends = [await changes.subscribe({}, () => {}), await changes.subscribe({}, () => {})];
  expect(watches).toEqual({ begun: 1, ended: 0 });
  ends[0]?.();
  expect(watches).toEqual({ begun: 1, ended: 0 });
  ends[1]?.();
  expect(watches).toEqual({ begun: 1, ended: 1 });
  const found = async () => ({ isEnough: true, found: 'at once' });
  await changes.until({}, found, new AbortController().signal);
  expect(watches).toEqual({ begun: 2, ended: 2 });
});

test('a subscription that cannot read where it begins is none', async () => {
  await using opened = await open();
  const { driver, watches } = opened;
  const changes = new StoreChanges(driver, createMemoryLog());
  await driver.close();
  await expect(changes.subscribe({}, () => {})).rejects.toThrow('closed');
  expect(watches).toEqual({ begun: 1, ended: 1 });
});

test('a commit of this process is told by itself, at whatever moment it comes', async () => {
  await using opened = await open();
  const { driver } = opened;
  const watch = (listener: () => void) => ({ committed: listener, end: () => {} });
  const changes = new StoreChanges({ ...driver, watch }, createMemoryLog());
  const emit = async (topic: string) => {
    await driver.write('relaxed', ({ db, executor }) =>
      addEvents({ db, executor, now: 0 }, [{ workspace: 'ws', topic }]),
    );
    changes.wake();
  };
  for (let steps = 0; steps < 200; steps += 1) {
    const heard = vi.fn();
    const end = await changes.subscribe({ topic: 'second' }, heard);
    await emit('first');
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
    await emit('second');
    await new Promise(setImmediate);
    expect(heard, `after ${steps} steps`).toHaveBeenCalledOnce();
    end();
  }
});

test('more events than a page has are told to the last', async () => {
  await using opened = await open();
  const { driver } = opened;
  const changes = new StoreChanges(driver, createMemoryLog());
  const heard = vi.fn();
  const end = await changes.subscribe({ topic: 'last' }, heard);
  const others = Array.from({ length: 2500 }, (_, index) => `topic-${index}`);
  await driver.write('relaxed', ({ db, executor }) =>
    addEvents(
      { db, executor, now: 0 },
      [...others, 'last'].map((topic) => ({ workspace: 'ws', topic })),
    ),
  );
  changes.wake();
  await vi.waitFor(() => expect(heard).toHaveBeenCalledOnce());
  end();
});

/** A real driver that counts who watches it. */
async function open() {
  const folder = temporaryFolder();
  const clock = createFakeClock();
  const driver = new SqliteDriver({
    file: path.join(folder.path, 'baton.db'),
    binding: await loadBinding(testedBinding),
    waiting: { clock, random: Math.random, pause: async () => {} },
    deadlineMs: 0,
    prepare: (db, found) =>
      migrate(db, [storeSchema], {
        ...found,
        place: 'test',
        watch: new LeaseWatch(clock, createProcesses()),
      }),
  });
  const watches = { begun: 0, ended: 0 };
  const counted: Driver = {
    read: (work, signal) => driver.read(work, signal),
    write: (durability, work, signal) => driver.write(durability, work, signal),
    facts: () => driver.facts(),
    check: () => driver.check(),
    backup: (target) => driver.backup(target),
    shrink: (how) => driver.shrink(how),
    close: () => driver.close(),
    watch(listener) {
      watches.begun += 1;
      const watch = driver.watch(listener);
      return {
        ...watch,
        end() {
          watches.ended += 1;
          watch.end();
        },
      };
    },
  };
  return {
    driver: counted,
    watches,
    async [Symbol.asyncDispose]() {
      await driver.close();
      folder[Symbol.dispose]();
    },
  };
}
