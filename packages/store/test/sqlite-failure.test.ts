import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { temporaryFolder } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import { type Database, loadBinding } from '../src/drivers/sqlite/binding.ts';
import { explain, isBusy, isReadOnly, isSqliteError } from '../src/drivers/sqlite/failure.ts';
import { testedBinding } from './sqlite-place.ts';

const binding = await loadBinding(testedBinding);

/** The libraries word their errors differently for each way to run a statement. */
const ways: Record<string, (database: Database, sql: string) => void> = {
  exec: (database, sql) => database.exec(sql),
  run: (database, sql) => database.prepare(sql).run(),
  all: (database, sql) => database.prepare(`${sql} returning a`).all(),
};

describe.for(Object.keys(ways))('with %s', (way) => {
  const insert = (database: Database) => ways[way]?.(database, "insert into t values ('new')");

  test('a lock of somebody else is busy', () => {
    using made = makeDatabase();
    const other = binding.open(made.file, { readOnly: false });
    other.exec('begin exclusive');
    const error = failureOf(() => insert(made.database));
    other.close();
    expect(isBusy(error)).toBe(true);
    expect(explain(error, made.file)).toMatchObject({ code: 'store_busy', cause: error });
  });

  test(`${cites('T19')} a disk without room is full`, () => {
    using made = makeDatabase();
    made.database.exec('pragma max_page_count = 2');
    const error = failureOf(() =>
      ways[way]?.(made.database, 'insert into t values (randomblob(100000))'),
    );
    expect(explain(error, made.file)).toMatchObject({ code: 'store_full' });
  });

  test(`${cites('T19')} what was opened to be read only cannot be written`, () => {
    using made = makeDatabase();
    const reader = binding.open(made.file, { readOnly: true });
    const error = failureOf(() => insert(reader));
    reader.close();
    expect(isReadOnly(error)).toBe(true);
    expect(explain(error, made.file)).toMatchObject({ code: 'store_read_only' });
  });

  test(`${cites('T20')} a page that is damaged is corrupt`, () => {
    using made = makeDatabase();
    const bytes = readFileSync(made.file);
    bytes.fill(0xff, 4096, 4200);
    writeFileSync(made.file, bytes);
    const again = binding.open(made.file, { readOnly: false });
    const error = failureOf(() => insert(again));
    again.close();
    expect(explain(error, made.file)).toMatchObject({ code: 'store_corrupt' });
  });

  test('an error in our own SQL stays what it is', () => {
    using made = makeDatabase();
    made.database.exec('create unique index one on t (a)');
    insert(made.database);
    const error = failureOf(() => insert(made.database));
    expect(isSqliteError(error)).toBe(true);
    expect(isBusy(error)).toBe(false);
    expect(explain(error, made.file)).toBe(error);
  });
});

test.for(['pragma application_id', 'select * from sqlite_schema'])(
  `${cites('T20')} what is no database is corrupt: %s`,
  (sql) => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'text.db');
    writeFileSync(file, 'this is not a database\n'.repeat(100));
    const database = binding.open(file, { readOnly: false });
    const error = failureOf(() => database.prepare(sql).all());
    database.close();
    expect(explain(error, file)).toMatchObject({ code: 'store_corrupt' });
  },
);

test(`${cites('T39')} what cannot be opened is unreadable`, () => {
  using folder = temporaryFolder();
  const file = path.join(folder.path, 'folder.db');
  mkdirSync(file);
  const error = failureOf(() => binding.open(file, { readOnly: false }));
  expect(explain(error, file)).toMatchObject({ code: 'store_unreadable' });
});

test('what is no error of SQLite stays what it is', () => {
  const error = new RangeError('database is locked');
  expect(isBusy(error)).toBe(false);
  expect(explain(error, 'file')).toBe(error);
  expect(explain('database is locked', 'file')).toBe('database is locked');
});

function makeDatabase() {
  const folder = temporaryFolder();
  const file = path.join(folder.path, 'test.db');
  const database = binding.open(file, { readOnly: false });
  database.exec("create table t (a); insert into t values ('old')");
  return {
    file,
    database,
    [Symbol.dispose]() {
      database.close();
      folder[Symbol.dispose]();
    },
  };
}

function failureOf(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail');
}
