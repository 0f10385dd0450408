import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import type { Store } from '@baton/store';
import { describe, expect, test } from 'vitest';
import { loadBinding } from '../src/drivers/sqlite/binding.ts';
import { refusalOf } from './faults/open-here.ts';
import { addPair, readPairs } from './faults/pairs.ts';
import { aMoment, fill } from './filled-place.ts';
import { createSqlitePlace, type SqlitePlace, testedBinding } from './sqlite-place.ts';

const require = createRequire(import.meta.url);
const binding = await loadBinding(testedBinding);

/** As another program does it, at a time that differs from that of the last checkpoint. */
async function copyOver(source: string, file: string): Promise<void> {
  const { mtimeMs } = statSync(file);
  while (statSync(file).mtimeMs === mtimeMs) {
    await aMoment();
    copyFileSync(source, file);
  }
}

// Windows may tell late when a file was written.
describe.runIf(process.platform !== 'win32')(
  `${cites('T55')} an older backup is copied over it`,
  () => {
    test('with an empty log: said at the next write, which goes on with the backup', async () => {
      await using place = createSqlitePlace();
      await (await fill(place)).close();
      const store = await place.open();
      await copyOver(`${place.file}.backup`, place.file);
      expect(await refusalOf(() => addPair(store, 'd'))).toMatchObject({
        code: 'store_replaced',
        message: expect.stringContaining('an older one'),
      });
      await addPair(store, 'd');
      expect(await readPairs(store)).toEqual(['a', 'd']);
      expect(await store.check()).toEqual([]);
    });

    test('with changes in the log to another file: refused as damage, and left as it is', async () => {
      await using place = createSqlitePlace();
      const first = await fill(place);
      for (let number = 0; number < 30; number += 1) await addPair(first, `more-${number}`, 3000);
      await first.close();
      const store = await place.open();
      await addPair(store, 'd', 3000);
      await copyOver(`${place.file}.backup`, place.file);
      for (const _ of [1, 2]) {
        expect(await refusalOf(() => addPair(store, 'e'))).toMatchObject({
          code: 'store_corrupt',
          message: expect.stringContaining(place.file),
        });
      }
      expect(statSync(`${place.file}-wal`).size).toBeGreaterThan(0);
    });

    test('which the log makes complete: nothing is lost, and it goes on', async () => {
      await using place = createSqlitePlace();
      const store = await fill(place);
      await copyOver(`${place.file}.backup`, place.file);
      await addPair(store, 'd');
      expect(await readPairs(store)).toEqual(['a', 'b', 'c', 'd']);
      expect(await store.check()).toEqual([]);
    });

    test.each(['it', 'another process'])(
      'and its log removed, after %s wrote: the backup stays whole',
      async (writer) => {
        await using place = createSqlitePlace();
        const store = await fillBeyondBackup(place);
        if (writer === 'another process') writeBeside(place);
        await copyOver(`${place.file}.backup`, place.file);
        for (const end of ['-wal', '-shm']) rmSync(place.file + end);
        expect(await refusalOf(() => addPair(store, 'lost'))).toMatchObject({
          code: 'store_replaced',
          message: expect.stringContaining('What was acknowledged last may be lost'),
        });
        await addPair(store, 'e');
        expect(await readPairs(store)).toEqual(['a', 'e']);
        expect(await store.check()).toEqual([]);
      },
    );

    test('and nobody wrote since: the end of a process leaves both as they are', async () => {
      await using place = createSqlitePlace();
      const store = await fillBeyondBackup(place);
      await copyOver(`${place.file}.backup`, place.file);
      await store.close();
      await aMoment();
      for (const end of ['-wal', '-shm']) rmSync(place.file + end);
      expect(await readPairs(await place.open())).toEqual(['a']);
    });
  },
);

/** A commit of another process, which ends without a checkpoint. */
function writeBeside({ file }: SqlitePlace): void {
  const script = `
    const { DatabaseSync } = require(process.argv[1]);
    const database = new DatabaseSync(process.argv[2]);
    database.exec("insert into meta values ('beside', hex(zeroblob(3000)))");
    process.kill(process.pid, 'SIGKILL');`;
  const library =
    binding.name === 'node:sqlite' ? binding.name : require.resolve('@photostructure/sqlite');
  const { signal } = spawnSync(process.execPath, ['-e', script, library, file]);
  expect(signal).toBe('SIGKILL');
}

/** The log holds changes to pages that the database has and the backup does not. */
async function fillBeyondBackup(place: SqlitePlace): Promise<Store> {
  const first = await fill(place);
  // Not so many that SQLite itself refuses to write so far behind the end of a backup.
  for (let number = 0; number < 10; number += 1) await addPair(first, `more-${number}`, 1000);
  await first.close();
  await binding.settle();
  const store = await place.open();
  await addPair(store, 'd', 3000);
  await aMoment();
  return store;
}

test(`${cites('T55')} only the database is removed: what it held is kept in a copy`, async () => {
  await using place = createSqlitePlace();
  const store = await fill(place);
  rmSync(place.file);
  expect(await refusalOf(() => addPair(store, 'd'))).toMatchObject({
    code: 'store_replaced',
    message: expect.stringMatching(/What it held is kept in \S+\.rescued-\d+\./),
  });
  expect(await refusalOf(() => addPair(store, 'd'))).toMatchObject({ code: 'store_corrupt' });
  expect(existsSync(place.file)).toBe(false);
  const copy = readdirSync(place.folder).find((name) => name.includes('.rescued-')) ?? '';
  const rescued = await place.open({ file: path.join(place.folder, copy) });
  expect(await readPairs(rescued)).toEqual(['a', 'b', 'c']);
});
