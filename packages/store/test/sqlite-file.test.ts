import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { type Store, setGate } from '@baton/store';
import { temporaryFolder } from '@baton/testkit';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { loadBinding } from '../src/drivers/sqlite/binding.ts';
import { fileSystemOf, prepareFile } from '../src/drivers/sqlite/place.ts';
import { times } from './contract/place.ts';
import { add, statesOf } from './contract/working.ts';
import { addPair } from './faults/pairs.ts';
import { startOpener } from './opener-process.ts';
import { createSqlitePlace, type SqlitePlace, testedBinding } from './sqlite-place.ts';

const binding = await loadBinding(testedBinding);

const MOUNTS = [
  '22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw',
  '23 22 0:5 / /proc rw - proc proc rw',
  '31 22 0:40 / /home/ada rw,relatime shared:9 - nfs4 files:/home rw,vers=4.2',
  '32 31 0:41 / /home/ada/my\\040disk\\134x rw - xfs /dev/sdb1 rw',
  '33 22 0:42 / /mnt rw - ext4 /dev/sdc1 rw',
  '34 33 0:43 / /mnt rw master:3 propagate_from:2 - fuse.sshfs ada@far: rw',
  '35 22 0:44 / /srv rw - cifs //server/share rw',
  '36 35 0:45 / /srv rw - btrfs /dev/sdd1 rw',
].join('\n');

test(`${cites('T2')} the folder and all files of the store are for their owner only`, async () => {
  await using place = createSqlitePlace();
  const before = process.umask(0);
  try {
    const store = await place.open();
    await add(store, { id: 'a' });
    expect(readdirSync(place.folder).sort()).toEqual(['baton.db', 'baton.db-shm', 'baton.db-wal']);
    expect(modeOf(place.folder)).toBe(0o700);
    for (const end of ['', '-wal', '-shm']) expect(modeOf(place.file + end)).toBe(0o600);
  } finally {
    process.umask(before);
  }
});

test('the last one to close leaves everything in the file, and an empty WAL beside it', async () => {
  await using place = createSqlitePlace();
  const stores = [await place.open(), await place.open()];
  await add(stores[0] as Store, { id: 'a' });
  for (const store of stores) await store.close();
  // Without them it could not be opened on a disk that is full or read-only.
  expect(readdirSync(place.folder).sort()).toEqual(['baton.db', 'baton.db-shm', 'baton.db-wal']);
  expect(statSync(path.join(place.folder, 'baton.db-wal')).size).toBe(0);
});

describe('the file system of a folder', () => {
  test.for([
    ['/', 'ext4'],
    ['/var/lib', 'ext4'],
    ['/home/ada', 'nfs4'],
    ['/home/ada/.local/state', 'nfs4'],
    ['/home/adamant', 'ext4'],
    ['/home/ada/my disk\\x/state', 'xfs'],
    ['/home/ada/my disk', 'nfs4'],
    ['/mnt/far', 'fuse.sshfs'],
    ['/srv/near', 'btrfs'],
  ])('of %s is %s', ([folder, kind]) => {
    expect(fileSystemOf(folder as string, MOUNTS)).toBe(kind);
  });

  test('is unknown without a table of mounts', () => {
    expect(fileSystemOf('/home', '')).toBe('');
  });
});

test.for(['nfs', 'nfs4', 'cifs', 'smb3', '9p', 'ceph', 'vboxsf', 'fuse.sshfs', 'fuse.rclone'])(
  'a store on %s is refused, and nothing is made there',
  (kind) => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'baton.db');
    const mounts = `1 0 0:1 / / rw - ext4 a rw\n2 1 0:2 / ${folder.path} rw - ${kind} far rw`;
    expect(() => prepareFile(binding, file, mounts)).toThrow(
      expect.objectContaining({ code: 'store_on_network', message: expect.stringContaining(kind) }),
    );
    expect(readdirSync(folder.path)).toEqual([]);
  },
);

test.for(['ext4', 'xfs', 'btrfs', 'tmpfs', 'overlay', 'fuse.gocryptfs', 'apfs'])(
  'a store on %s is made',
  (kind) => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'baton.db');
    prepareFile(binding, file, `1 0 0:1 / / rw - ${kind} a rw`);
    expect(readdirSync(folder.path)).toEqual(['baton.db']);
  },
);

test('a link to a network file system is seen through', () => {
  using folder = temporaryFolder();
  mkdirSync(path.join(folder.path, 'far'));
  symlinkSync(path.join(folder.path, 'far'), path.join(folder.path, 'near'));
  const mounts = `1 0 0:1 / / rw - ext4 a rw\n2 1 0:2 / ${folder.path}/far rw - nfs far rw`;
  const file = path.join(folder.path, 'near', 'baton.db');
  expect(() => prepareFile(binding, file, mounts)).toThrow(
    expect.objectContaining({ code: 'store_on_network' }),
  );
});

describe('what is not a store of ours is refused and left as it is', () => {
  const others: Record<string, (place: SqlitePlace) => void> = {
    'another SQLite database': ({ file }) => {
      const database = binding.open(file, { readOnly: false });
      database.exec('create table theirs (id); pragma application_id = 1');
      database.close();
    },
    'a SQLite database that says nothing of itself': ({ file }) => {
      const database = binding.open(file, { readOnly: false });
      database.exec('create table theirs (id)');
      database.close();
    },
    'an empty file': ({ file }) => writeFileSync(file, ''),
    'a text': ({ file }) => writeFileSync(file, 'this is not a database\n'.repeat(100)),
    'the changes of a file that is gone': ({ file }) => writeFileSync(`${file}-wal`, 'changes'),
  };
  test.for(Object.keys(others))(`${cites('T20')} %s`, async (name) => {
    await using place = createSqlitePlace();
    mkdirSync(place.folder);
    others[name]?.(place);
    const before = contentOf(place.folder);
    await expect(place.open()).rejects.toMatchObject({
      code: 'store_corrupt',
      message: expect.stringContaining(place.file),
    });
    expect(contentOf(place.folder)).toEqual(before);
  });

  test(`${cites('T20')} a folder`, async () => {
    await using place = createSqlitePlace();
    mkdirSync(place.file, { recursive: true });
    await expect(place.open()).rejects.toMatchObject({ code: 'store_corrupt' });
  });
});

describe('a file that is gone while it is in use', () => {
  /** Others do it: never between two steps that this process takes at once. */
  const aMoment = () => new Promise((resolve) => setImmediate(resolve));

  test(`${cites('T20')} is refused once, then a new one is begun`, async () => {
    await using place = createSqlitePlace();
    const store = await place.open();
    await add(store, { id: 'a' });
    await aMoment();
    for (const end of ['', '-wal', '-shm']) rmSync(place.file + end);
    await expect(add(store, { id: 'lost' })).rejects.toMatchObject({ code: 'store_replaced' });
    await add(store, { id: 'b' });
    expect(await statesOf(store)).toBe('b:ready');
    expect(await statesOf(await place.open())).toBe('b:ready');
  });

  test(`${cites('T20')} or that is another one by now: then with that one`, async () => {
    await using place = createSqlitePlace();
    await using origin = createSqlitePlace();
    const store = await place.open();
    await add(store, { id: 'a' });
    const kept = await origin.open();
    await add(kept, { id: 'kept' });
    await kept.backup(`${place.file}.restored`);
    await aMoment();
    for (const end of ['-wal', '-shm']) rmSync(place.file + end);
    renameSync(`${place.file}.restored`, place.file);
    await expect(add(store, { id: 'lost' })).rejects.toMatchObject({ code: 'store_replaced' });
    await add(store, { id: 'b' });
    expect(await statesOf(store)).toBe('b:ready kept:ready');
  });

  test(`${cites('T20')} is begun anew once, however many come at that moment`, async () => {
    await using place = createSqlitePlace();
    const store = await place.open();
    await aMoment();
    for (const end of ['', '-wal', '-shm']) rmSync(place.file + end);
    const refused = store.write('durable', async () => {});
    await expect(refused).rejects.toMatchObject({ code: 'store_replaced' });
    const results = await times(40, async (index) => {
      for (let step = 0; step < index; step += 1) await Promise.resolve();
      return index % 4 === 0
        ? store.write('durable', (tx) => setGate(tx, { group: `${index}` }, {}))
        : statesOf(store);
    });
    expect(results.filter((result) => result !== undefined && result !== '')).toEqual([]);
  });
});

test(`${cites('T8', 'T17')} whoever makes the store removes nothing: others may have begun to use it`, async () => {
  await using place = createSqlitePlace();
  const ends = ['-wal', '-shm'];
  mkdirSync(place.folder, { recursive: true });
  for (const end of ends) writeFileSync(place.file + end, '');
  const before = ends.map((end) => statSync(place.file + end).ino);
  const store = await place.open();
  await add(store, { id: 'a' });
  expect(ends.map((end) => statSync(place.file + end).ino)).toEqual(before);
});

test(`${cites('T17')} processes that make the store at the same moment share one`, async () => {
  await using place = createSqlitePlace();
  const openers = await times(4, (index) => startOpener(place.file, `opener-${index}`));
  try {
    for (const opener of openers) opener.go();
    for (const opener of openers) expect(await opener.ended).toEqual({ code: 0, error: '' });
  } finally {
    for (const opener of openers) opener.kill();
  }
  const found = (await statesOf(await place.open())).split(' ');
  expect(found.sort()).toEqual([0, 1, 2, 3].map((index) => `opener-${index}:ready`));
  expect(readdirSync(place.folder).filter((name) => name.endsWith('.new'))).toEqual([]);
});

function modeOf(file: string): number {
  return statSync(file).mode & 0o777;
}

function contentOf(folder: string): Record<string, string> {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(path.join(folder, name), 'hex')]),
  );
}

test(`${cites('T20')} an index that tells something else than its table is found by check()`, async () => {
  await using place = createSqlitePlace();
  const store = await place.open();
  await addPair(store, 'a');
  const root = await store.read(({ db }) =>
    sql<{ rootpage: number }>`
      select rootpage from sqlite_schema where name = 'work_to_claim'`.execute(db),
  );
  await store.close();
  const bytes = readFileSync(place.file);
  const page = bytes.subarray(((root.rows[0]?.rootpage ?? 0) - 1) * 4096).subarray(0, 4096);
  page.write('jobz', page.indexOf('jobs'));
  writeFileSync(place.file, bytes);
  const damaged = await place.open();
  expect(await damaged.check()).toContain('row 1 missing from index work_to_claim');
});
