import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cites } from '@baton/e2e/requirements';
import { defaultRetention, prune } from '@baton/store';
import { sql as rawSql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { loadBinding } from '../src/drivers/sqlite/binding.ts';
import { Connection } from '../src/drivers/sqlite/connection.ts';
import { MAX_LOOK_AGE_MS } from '../src/drivers/sqlite/open-file.ts';
import { OverwriteWatch } from '../src/drivers/sqlite/overwriting.ts';
import { findFiles } from '../src/drivers/sqlite/store-files.ts';
import { refusalOf } from './faults/open-here.ts';
import { addPair, readPairs } from './faults/pairs.ts';
import { aMoment, fill } from './filled-place.ts';
import { createSqlitePlace, type SqlitePlace } from './sqlite-place.ts';

const FILES = ['', '-wal', '-shm'];

interface Case {
  readonly harm: (place: SqlitePlace) => void;
  /** What is found afterwards of the three that were acknowledged before; all, unless said. */
  readonly kept?: readonly string[];
  /** The next write does not notice, because nothing is at stake. */
  readonly isHarmless?: boolean;
  readonly says?: RegExp;
}

const elsewhere = (place: SqlitePlace) => {
  const folder = path.join(place.folder, 'elsewhere');
  mkdirSync(folder);
  return path.join(folder, 'moved.db');
};

const cases: Record<string, Case> = {
  'its -wal is removed': {
    harm: ({ file }) => rmSync(`${file}-wal`),
    says: /All that was acknowledged before is kept/,
  },
  'its -wal is renamed': { harm: ({ file }) => renameSync(`${file}-wal`, `${file}-old`) },
  'its -shm is removed': { harm: ({ file }) => rmSync(`${file}-shm`) },
  'both are removed': {
    harm: ({ file }) => {
      for (const end of ['-wal', '-shm']) rmSync(file + end);
    },
  },
  'its -wal is replaced by an empty one': {
    harm: ({ file }) => {
      rmSync(`${file}-wal`);
      copyFileSync('/dev/null', `${file}-wal`);
    },
  },
  'its -wal is replaced by a copy': {
    harm: ({ file }) => {
      copyFileSync(`${file}-wal`, `${file}-copy`);
      renameSync(`${file}-copy`, `${file}-wal`);
    },
    says: /What it held is kept in \S+\.rescued-\d+\./,
  },
  'the file is moved, with a link in its place': {
    harm: (place) => {
      const moved = elsewhere(place);
      renameSync(place.file, moved);
      symlinkSync(moved, place.file);
    },
  },
  'all three are moved, with a link in place of the file': {
    harm: (place) => {
      const moved = elsewhere(place);
      for (const end of FILES) renameSync(place.file + end, moved + end);
      symlinkSync(moved, place.file);
    },
  },
  'the folder is moved, with a link in its place': {
    harm: ({ folder }) => {
      renameSync(folder, `${folder}-moved`);
      symlinkSync(`${folder}-moved`, folder);
    },
    isHarmless: true,
  },
  'the file gets a second name and its first one again': {
    harm: ({ file }) => {
      linkSync(file, `${file}-second`);
      rmSync(file);
      renameSync(`${file}-second`, file);
    },
    isHarmless: true,
  },
  'an older backup is renamed to its name': {
    harm: ({ file }) => renameSync(`${file}.backup`, file),
    kept: ['a'],
    says: /What it held is kept in \S+\.rescued-\d+\./,
  },
  'the folder is renamed': {
    harm: ({ folder }) => renameSync(folder, `${folder}-moved`),
    kept: [],
  },
};

test.for(Object.keys(cases))(
  `${cites('T55')} %s: noticed at the next write, and what was acknowledged is kept`,
  async (name) => {
    const { harm, kept = ['a', 'b', 'c'], isHarmless, says = /./ } = cases[name] as Case;
    await using place = createSqlitePlace();
    const store = await fill(place);
    harm(place);
    const refusal = await refusalOf(() => addPair(store, 'd'));
    if (isHarmless) expect(refusal).toBeUndefined();
    else {
      expect(refusal).toMatchObject({
        code: 'store_replaced',
        message: expect.stringMatching(/nothing was changed/),
        next: expect.stringContaining('Try again'),
      });
      expect(refusal?.message).toMatch(says);
      await addPair(store, 'd');
    }
    const expected = [...kept, 'd'];
    expect(await readPairs(store)).toEqual(expected);
    expect(await store.check()).toEqual([]);
    // A process that opens it by its name finds the same, before and after the first one ends.
    const beside = await place.open();
    expect(await readPairs(beside)).toEqual(expected);
    await addPair(beside, 'e');
    await addPair(store, 'f');
    await store.close();
    await beside.close();
    const later = await place.open();
    expect(await readPairs(later)).toEqual([...expected, 'e', 'f']);
    expect(await later.check()).toEqual([]);
    const copy = readdirSync(place.folder).find((entry) => entry.includes('.rescued-'));
    expect(copy !== undefined).toBe(says.source.includes('rescued'));
    if (copy) {
      const rescued = await place.open({ file: path.join(place.folder, copy) });
      expect(await readPairs(rescued)).toEqual(['a', 'b', 'c']);
    }
  },
);

test(`${cites('T55')} a store that lost its log saves it when it is closed, too`, async () => {
  await using place = createSqlitePlace();
  const store = await fill(place);
  rmSync(`${place.file}-wal`);
  await store.close();
  expect(await readPairs(await place.open())).toEqual(['a', 'b', 'c']);
});

test(`${cites('T55')} processes that lost the same log lose nothing, whoever notices first`, async () => {
  await using place = createSqlitePlace();
  const store = await fill(place);
  const beside = await place.open();
  await addPair(beside, 'd');
  await aMoment();
  rmSync(`${place.file}-wal`);
  for (const one of [store, beside]) {
    expect((await refusalOf(() => addPair(one, 'lost')))?.code).toBe('store_replaced');
    await addPair(one, one === store ? 'e' : 'f');
  }
  for (const one of [store, beside]) {
    expect(await readPairs(one)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  }
});

test(`${cites('T55')} a link that leads to another store now: noticed at the next write and read`, async () => {
  await using place = createSqlitePlace();
  await (await fill(place)).close();
  const link = `${place.folder}-link`;
  symlinkSync(place.folder, link);
  const file = path.join(link, 'baton.db');
  const [writer, reader] = [await place.open({ file }), await place.open({ file })];
  expect(await readPairs(reader)).toEqual(['a', 'b', 'c']);
  const other = elsewhere(place);
  renameSync(`${place.file}.backup`, path.join(path.dirname(other), 'baton.db'));
  rmSync(link);
  symlinkSync(path.dirname(other), link);
  await aMoment();
  expect((await refusalOf(() => addPair(writer, 'd')))?.code).toBe('store_replaced');
  expect((await refusalOf(() => readPairs(reader)))?.code).toBe('store_replaced');
  for (const store of [writer, reader]) expect(await readPairs(store)).toEqual(['a']);
  expect(await readPairs(await place.open())).toEqual(['a', 'b', 'c']);
});

test(`${cites('T55')} a log that is lost within a transaction: what is acknowledged is kept`, async () => {
  await using place = createSqlitePlace();
  const store = await fill(place);
  await store.write('durable', async ({ db }) => {
    await db.insertInto('meta').values({ name: 'last', value: '' }).execute();
    rmSync(`${place.file}-wal`);
  });
  const copy = `${place.file}.killed`;
  copyFileSync(place.file, copy); // What a kill at this moment would leave.
  const killed = await place.open({ file: copy });
  const rows = await killed.read(({ db }) =>
    db.selectFrom('meta').select('name').where('name', '=', 'last').execute(),
  );
  expect(rows).toEqual([{ name: 'last' }]);
  expect((await refusalOf(() => addPair(store, 'd')))?.code).toBe('store_replaced');
});

test(`${cites('T55')} a replacement within a transaction: it is not acknowledged`, async () => {
  await using place = createSqlitePlace();
  const store = await fill(place);
  const writing = store.write('durable', async ({ db }) => {
    await db.insertInto('meta').values({ name: 'last', value: '' }).execute();
    renameSync(`${place.file}.backup`, place.file);
  });
  await expect(writing).rejects.toMatchObject({
    code: 'store_replaced',
    message: expect.stringContaining('not certain'),
  });
  expect(await readPairs(store)).toEqual(['a']);
});

test(`${cites('T55')} a log that is cut off is noticed at the next write, which is not lost with it`, async () => {
  await using place = createSqlitePlace();
  await (await fill(place)).close();
  const store = await place.open();
  await addPair(store, 'd');
  truncateSync(`${place.file}-wal`, 100);
  // While one write follows the other, the log is looked at from time to time.
  await pause(2 * MAX_LOOK_AGE_MS);
  const refusal = await refusalOf(() => addPair(store, 'e'));
  expect(refusal).toMatchObject({
    code: 'store_replaced',
    message: expect.stringContaining('nothing was changed'),
  });
  await addPair(store, 'e');
  expect(await readPairs(store)).toEqual(expect.arrayContaining(['a', 'b', 'c', 'e']));
  expect(await store.check()).toEqual([]);
});

test('a commit of others between two looks is not taken for a log that was cut off', async () => {
  await using place = createSqlitePlace();
  const store = await fill(place);
  const binding = await loadBinding();
  const connection = new Connection(binding, place.file, { readOnly: false });
  const other = new Connection(binding, place.file, { readOnly: false });
  const watch = new OverwriteWatch(connection, findFiles(place.file));
  const verdict = watch.judge(() => {
    const before = findFiles(place.file);
    other.exec(
      'create table between_looks (text); insert into between_looks values (hex(zeroblob(9000)))',
    );
    return before;
  });
  expect(verdict).toBeUndefined();
  expect(watch.judge(() => findFiles(place.file))).toBe('checkpoint');
  connection.close();
  other.close();
  await store.close();
  await binding.settle();
});

test('checkpoints of others are not taken for anything else', async () => {
  await using place = createSqlitePlace();
  const store = await fill(place);
  for (let number = 0; number < 20; number += 1) {
    const beside = await place.open();
    if (number % 3 === 0) await addPair(beside, `beside-${number}`);
    if (number % 2 === 0) await addPair(store, `own-${number}`);
    await aMoment();
    await beside.close();
    await addPair(store, `after-${number}`);
  }
  expect(await readPairs(store)).toHaveLength(3 + 7 + 10 + 20);
});

describe('a log that was removed, and then all processes were killed', () => {
  /** The files as they are left: the database as of the last checkpoint, and the index. */
  async function leave(place: SqlitePlace): Promise<string> {
    await (await fill(place)).close();
    const store = await place.open();
    for (const key of ['d', 'e']) await addPair(store, key);
    const left = `${place.file}.left`;
    for (const end of ['', '-shm']) copyFileSync(place.file + end, left + end);
    return left;
  }

  test(`${cites('T20', 'T55')} is said, and the store is left as it is`, async () => {
    await using place = createSqlitePlace();
    const file = await leave(place);
    for (const _ of [1, 2]) {
      expect(await refusalOf(() => place.open({ file }))).toMatchObject({
        code: 'store_corrupt',
        message: expect.stringMatching(/-wal is gone, and with it \d+ changed pages/),
        next: expect.stringContaining(`remove ${file}-shm to go on`),
      });
    }
    expect(existsSync(`${file}-wal`)).toBe(false);
    rmSync(`${file}-shm`);
    expect(await readPairs(await place.open({ file }))).toEqual(['a', 'b', 'c']);
  });

  test('is not claimed of what was there before the machine was started', async () => {
    await using place = createSqlitePlace();
    const file = await leave(place);
    utimesSync(`${file}-shm`, 1, 1);
    expect(await readPairs(await place.open({ file }))).toEqual(['a', 'b', 'c']);
  });

  test('is not claimed while others write and empty the log', async () => {
    await using place = createSqlitePlace();
    const store = await fill(place);
    for (let number = 10; number < 30; number += 1) {
      await addPair(store, `${number}`);
      await (await place.open()).close();
    }
    expect(await readPairs(store)).toHaveLength(23);
  });
});

test.for([
  ['the newest', 'delete from events where seq = (select max(seq) from events)'],
  ['one in the middle', 'delete from events where seq = 2'],
  ['the last number', "update sqlite_sequence set seq = seq - 1 where name = 'events'"],
] as const)(`${cites('T20')} check() counts the log of changes: %s is missing`, async ([, sql]) => {
  await using place = createSqlitePlace();
  const store = await place.open();
  for (let number = 0; number < 4; number += 1) {
    await store.write('durable', async ({ emit }) => emit('w', `topic-${number}`));
  }
  await prune(store, { ...defaultRetention, events: 3 });
  expect(await store.check()).toEqual([]);
  await store.write('durable', ({ db }) => rawSql.raw(sql).execute(db));
  expect(await store.check()).toEqual([expect.stringMatching(/^the log of changes says \d, /)]);
});
