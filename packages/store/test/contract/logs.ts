import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { LogFiles, type Store } from '@baton/store';
import { temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';
import type { CreatePlace } from './place.ts';

const SMALL = { partBytes: 10, maxParts: 3 };

export function testLogs(createPlace: CreatePlace): void {
  test('what was written is read, in pieces of any size', async () => {
    await using place = createPlace();
    using folder = temporaryFolder();
    const logs = new LogFiles(await place.open(), { folder: folder.path });
    const writer = await logs.open('job-1');
    writer.write(Buffer.from('hello '));
    writer.write(Buffer.from('world'));
    expect(writer.end).toBe(11);
    expect(await logs.read('job-1', 0, 100)).toEqual({
      bytes: Buffer.from('hello world'),
      from: 0,
      next: 11,
      end: 11,
      isCut: false,
      isClosed: false,
    });
    const page = await logs.read('job-1', 3, 5);
    expect(page).toMatchObject({ from: 3, next: 8, end: 11 });
    expect(page.bytes.toString()).toBe('lo wo');
    await writer.close();
  });

  test('a log that nobody has written is empty', async () => {
    await using place = createPlace();
    using folder = temporaryFolder();
    const logs = new LogFiles(await place.open(), { folder: folder.path });
    expect(await logs.read('job-1', 5, 100)).toEqual({
      bytes: Buffer.alloc(0),
      from: 0,
      next: 0,
      end: 0,
      isCut: false,
      isClosed: false,
    });
  });

  test('whoever reads on from the end gets what is new', async () => {
    await using place = createPlace();
    using folder = temporaryFolder();
    const logs = new LogFiles(await place.open(), { folder: folder.path });
    const writer = await logs.open('job-1');
    writer.write(Buffer.from('one'));
    const { next } = await logs.read('job-1', 0, 100);
    expect((await logs.read('job-1', next, 100)).bytes).toHaveLength(0);
    writer.write(Buffer.from('two'));
    expect((await logs.read('job-1', next, 100)).bytes.toString()).toBe('two');
    expect(await logs.read('job-1', 999, 100)).toMatchObject({ from: 6, next: 6, end: 6 });
    await writer.close();
  });

  test('pages lead over the borders of parts, byte by byte and all at once', async () => {
    await using place = createPlace();
    using folder = temporaryFolder();
    const logs = new LogFiles(await place.open(), { folder: folder.path, ...SMALL });
    const writer = await logs.open('job-1');
    const text = 'abcdefghijklmnopqrstuvwxyz';
    for (const piece of ['abc', 'defghijklmnopqrstu', 'v', 'wxyz'])
      writer.write(Buffer.from(piece));
    await writer.close();
    for (const limit of [1, 3, 10, 11, 26, 1_000]) {
      let read = '';
      for (let from = 0; from < text.length; ) {
        const page = await logs.read('job-1', from, limit);
        expect(page.bytes.length).toBeLessThanOrEqual(limit);
        read += page.bytes.toString();
        from = page.next;
      }
      expect(read).toBe(text);
    }
  });

  test('however much is written, only the newest parts are kept', async () => {
    await using place = createPlace();
    using folder = temporaryFolder();
    const logs = new LogFiles(await place.open(), { folder: folder.path, ...SMALL });
    const writer = await logs.open('job-1');
    for (let index = 0; index < 100; index += 1) writer.write(Buffer.from('0123456'));
    expect(writer.end).toBe(700);
    expect(bytesIn(path.join(folder.path, 'job-1'))).toBeLessThanOrEqual(30);
    const page = await logs.read('job-1', 0, 1_000);
    expect(page).toMatchObject({ isCut: true, end: 700, next: 700, from: 670 });
    expect(page.bytes.toString()).toBe('0123456'.repeat(100).slice(670));
    await writer.close();
  });

  test('an offset stays valid while older parts are removed', async () => {
    await using place = createPlace();
    using folder = temporaryFolder();
    const logs = new LogFiles(await place.open(), { folder: folder.path, ...SMALL });
    const writer = await logs.open('job-1');
    writer.write(Buffer.from('a'.repeat(25)));
    const { next } = await logs.read('job-1', 0, 1_000);
    writer.write(Buffer.from('b'.repeat(20)));
    expect((await logs.read('job-1', next, 1_000)).bytes.toString()).toBe('b'.repeat(20));
    await writer.close();
  });

  test('one write may be longer than all that is kept', async () => {
    await using place = createPlace();
    using folder = temporaryFolder();
    const logs = new LogFiles(await place.open(), { folder: folder.path, ...SMALL });
    const writer = await logs.open('job-1');
    writer.write(Buffer.from(`${'x'.repeat(1_000)}end`));
    const page = await logs.read('job-1', 0, 1_000);
    expect(page).toMatchObject({ end: 1_003, isCut: true });
    expect(page.bytes.toString()).toMatch(/^x{20}end$/);
    await writer.close();
  });

  test('the store knows the offsets after each sync, and that it was closed', async () => {
    await using place = createPlace();
    using folder = temporaryFolder();
    const store = await place.open();
    const logs = new LogFiles(store, { folder: folder.path, ...SMALL });
    const writer = await logs.open('job-1');
    expect(await rowOf(store, 'job-1')).toMatchObject({ bytes: 0, first: 0, closed: 0 });
    writer.write(Buffer.from('x'.repeat(45)));
    await writer.sync();
    expect(await rowOf(store, 'job-1')).toMatchObject({ bytes: 45, first: 20, closed: 0 });
    await writer.close();
    expect(await rowOf(store, 'job-1')).toMatchObject({ bytes: 45, first: 20, closed: 1 });
    expect(await logs.read('job-1', 0, 0)).toMatchObject({ isClosed: true });
  });

  test('whoever waits for a log is told of each sync', async () => {
    await using place = createPlace();
    using folder = temporaryFolder();
    const [store, other] = [await place.open(), await place.open()];
    const logs = new LogFiles(store, { folder: folder.path });
    const readers = new LogFiles(other, { folder: folder.path });
    const writer = await logs.open('job-1');
    const waiting = other.changes.until(
      { topic: 'log/job-1' },
      async () => {
        const { bytes } = await readers.read('job-1', 0, 100);
        return { isEnough: bytes.length > 0, found: bytes.toString() };
      },
      new AbortController().signal,
    );
    writer.write(Buffer.from('news'));
    await writer.sync();
    expect(await waiting).toBe('news');
    await writer.close();
  });

  test(`${cites('T8')} a log goes on after a crash that lost its offsets`, async () => {
    await using place = createPlace();
    using folder = temporaryFolder();
    const store = await place.open();
    const logs = new LogFiles(store, { folder: folder.path, ...SMALL });
    const crashed = await logs.open('job-1');
    crashed.write(Buffer.from('before the crash '));
    // It was killed here: nothing was synced, and its row may be older than that, or gone.
    await store.write('relaxed', ({ db }) =>
      db.deleteFrom('logs').where('id', '=', 'job-1').execute(),
    );
    expect(await logs.read('job-1', 0, 100)).toMatchObject({ end: 17, isClosed: false });
    const writer = await logs.open('job-1');
    expect(writer.end).toBe(17);
    writer.write(Buffer.from('after it'));
    await writer.close();
    await crashed.close(); // For the sake of its file only.
    const page = await logs.read('job-1', 0, 100);
    expect(page.bytes.toString()).toBe('before the crash after it');
  });

  test('a log goes on exactly at the border of a part', async () => {
    await using place = createPlace();
    using folder = temporaryFolder();
    const logs = new LogFiles(await place.open(), { folder: folder.path, ...SMALL });
    const first = await logs.open('job-1');
    first.write(Buffer.from('0123456789'));
    await first.close();
    const second = await logs.open('job-1');
    expect(await logs.read('job-1', 0, 0)).toMatchObject({ isClosed: false });
    second.write(Buffer.from('abc'));
    await second.close();
    expect((await logs.read('job-1', 0, 100)).bytes.toString()).toBe('0123456789abc');
  });

  test('a removed log is gone, and can begin anew', async () => {
    await using place = createPlace();
    using folder = temporaryFolder();
    const logs = new LogFiles(await place.open(), { folder: folder.path });
    const writer = await logs.open('job-1');
    writer.write(Buffer.from('old'));
    await writer.close();
    await logs.remove('job-1');
    await logs.remove('job-1');
    expect(readdirSync(folder.path)).toEqual([]);
    const again = await logs.open('job-1');
    expect(again.end).toBe(0);
    await again.close();
  });

  test('logs and their folder are for their owner only', async () => {
    await using place = createPlace();
    using folder = temporaryFolder();
    const logs = new LogFiles(await place.open(), { folder: path.join(folder.path, 'logs') });
    const writer = await logs.open('job-1');
    writer.write(Buffer.from('secret'));
    await writer.close();
    const modeOf = (name: string) => statSync(path.join(folder.path, name)).mode & 0o777;
    expect(modeOf('logs')).toBe(0o700);
    expect(modeOf('logs/job-1')).toBe(0o700);
    expect(modeOf('logs/job-1/00000000.log')).toBe(0o600);
  });

  test('files of others in the folder of a log do no harm', async () => {
    await using place = createPlace();
    using folder = temporaryFolder();
    const logs = new LogFiles(await place.open(), { folder: folder.path, ...SMALL });
    const writer = await logs.open('job-1');
    for (const name of ['99999999.log.gz', 'notes.txt', '99.log']) {
      writeFileSync(path.join(folder.path, 'job-1', name), 'not ours');
    }
    writer.write(Buffer.from('x'.repeat(15)));
    expect(await logs.read('job-1', 0, 100)).toMatchObject({ from: 0, next: 15, end: 15 });
    await writer.close();
  });

  test.for([
    '',
    '.',
    '..',
    '../up',
    'a/b',
    'a\\b',
    '/etc',
    '-rf',
    '.hidden',
    'nul\0',
    'line\n',
    'a b',
    'ä',
    'x'.repeat(129),
  ])('%j cannot be the id of a log', async (id) => {
    await using place = createPlace();
    using folder = temporaryFolder();
    const logs = new LogFiles(await place.open(), { folder: path.join(folder.path, 'logs') });
    await expect(logs.open(id)).rejects.toThrow(TypeError);
    await expect(logs.read(id, 0, 1)).rejects.toThrow(TypeError);
    await expect(logs.remove(id)).rejects.toThrow(TypeError);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test('ids as they are made are fine', async () => {
    await using place = createPlace();
    using folder = temporaryFolder();
    const logs = new LogFiles(await place.open(), { folder: folder.path });
    for (const id of ['a', 'plan-1.job_2', crypto.randomUUID(), 'x'.repeat(128)]) {
      await (await logs.open(id)).close();
    }
    expect(readdirSync(folder.path)).toHaveLength(4);
  });
}

function bytesIn(folder: string): number {
  const sizes = readdirSync(folder).map((name) => statSync(path.join(folder, name)).size);
  return sizes.reduce((sum, size) => sum + size, 0);
}

function rowOf(store: Store, id: string) {
  return store.read(({ db }) =>
    db.selectFrom('logs').selectAll().where('id', '=', id).executeTakeFirst(),
  );
}
