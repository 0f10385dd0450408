import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Room } from './room.ts';
import { bundleSession, Session } from './session.ts';

const readOnly = {
  failed: {
    code: 'store_read_only',
    message: expect.stringMatching(/^The store \S+ cannot be written; nothing was changed/),
    next: expect.stringContaining('writable'),
  },
};
const unreadable = {
  failed: {
    code: 'store_unreadable',
    message: expect.stringMatching(
      /^The store \S+ cannot be (opened|reached); nothing was changed/,
    ),
    next: expect.stringContaining('readable and writable'),
  },
};

// A file system of our own needs Linux.
describe.runIf(process.platform === 'linux')(`${cites('T19')} what cannot be written`, () => {
  let program: Awaited<ReturnType<typeof bundleSession>>;
  beforeAll(async () => {
    program = await bundleSession();
  });
  afterAll(() => program[Symbol.dispose]());

  const start = (room: Room) => new Session(room.command(process.execPath, program.file));
  const startAsNobody = (room: Room) =>
    new Session(room.command(process.execPath, program.file, '65534'));
  /** A store that was closed in order, with one key. */
  const writtenAndClosed = async (room: Room) => {
    const file = path.join(room.inside, 'store.db');
    await using session = start(room);
    await session.ask({ do: 'open', file });
    await session.ask({ do: 'add', key: 'a' });
    await session.ask({ do: 'close' });
    await session.end();
    return file;
  };

  test('a file system, after a kill: it is read, and written again when it can be', async () => {
    await using room = await Room.enter({ kilobytes: 4096 });
    const file = path.join(room.inside, 'store.db');
    await using killed = start(room);
    await killed.ask({ do: 'open', file });
    await killed.ask({ do: 'add', key: 'a' });
    await killed.kill();
    room.remount('ro');

    await using session = start(room);
    expect(await session.ask({ do: 'open', file })).toEqual({ ok: 'opened' });
    expect(await session.ask({ do: 'keys' })).toEqual({ ok: ['a'] });
    expect(await session.ask({ do: 'check' })).toEqual({ ok: [] });
    expect(await session.ask({ do: 'add', key: 'b' })).toEqual(readOnly);
    expect(await session.ask({ do: 'keys' })).toEqual({ ok: ['a'] });
    room.remount('rw');
    expect(await session.ask({ do: 'add', key: 'b' })).toEqual({ ok: 'b' });
    expect(await session.ask({ do: 'keys' })).toEqual({ ok: ['a', 'b'] });
    expect(await session.ask({ do: 'check' })).toEqual({ ok: [] });
  });

  // SQLite cannot read a file without the two beside it; they must be there still.
  test('a file system, after it was closed: it is read, and written again when it can be', async () => {
    await using room = await Room.enter({ kilobytes: 4096 });
    const file = await writtenAndClosed(room);
    room.remount('ro');

    await using session = start(room);
    expect(await session.ask({ do: 'open', file })).toEqual({ ok: 'opened' });
    expect(await session.ask({ do: 'keys' })).toEqual({ ok: ['a'] });
    expect(await session.ask({ do: 'add', key: 'b' })).toEqual(readOnly);
    room.remount('rw');
    expect(await session.ask({ do: 'add', key: 'b' })).toEqual({ ok: 'b' });
    expect(await session.ask({ do: 'keys' })).toEqual({ ok: ['a', 'b'] });
  });

  test('a file system with nothing but the file: refused, and opened when it can be', async () => {
    await using room = await Room.enter({ kilobytes: 4096 });
    const file = await writtenAndClosed(room);
    for (const end of ['-wal', '-shm']) rmSync(path.join(room.outside, `store.db${end}`));
    room.remount('ro');

    await using session = start(room);
    expect(await session.ask({ do: 'open', file })).toEqual(unreadable);
    room.remount('rw');
    expect(await session.ask({ do: 'open', file })).toEqual({ ok: 'opened' });
    expect(await session.ask({ do: 'keys' })).toEqual({ ok: ['a'] });
  });

  test('a file system that was never written: nothing can be made there', async () => {
    await using room = await Room.enter({ kilobytes: 4096 });
    room.remount('ro');
    await using session = start(room);
    const file = path.join(room.inside, 'store.db');
    expect(await session.ask({ do: 'open', file })).toEqual(unreadable);
    const below = path.join(room.inside, 'state', 'store.db');
    expect(await session.ask({ do: 'open', file: below })).toEqual(unreadable);
    room.remount('rw');
    expect(await session.ask({ do: 'open', file: below })).toEqual({ ok: 'opened' });
  });

  test('a read-only view of a folder where another process writes', async () => {
    await using room = await Room.enter({ kilobytes: 4096 });
    mkdirSync(path.join(room.outside, 'real'));
    mkdirSync(path.join(room.outside, 'view'));
    const [real, view] = ['real', 'view'].map((name) => path.join(room.inside, name)) as [
      string,
      string,
    ];
    room.run('mount', '--bind', real, view);
    room.run('mount', '-o', 'remount,bind,ro', view);
    await using writing = start(room);
    await writing.ask({ do: 'open', file: path.join(real, 'store.db') });
    await writing.ask({ do: 'add', key: 'a' });

    await using reading = start(room);
    expect(await reading.ask({ do: 'open', file: path.join(view, 'store.db') })).toEqual({
      ok: 'opened',
    });
    expect(await reading.ask({ do: 'keys' })).toEqual({ ok: ['a'] });
    expect(await reading.ask({ do: 'add', key: 'b' })).toEqual(readOnly);
    expect(await writing.ask({ do: 'add', key: 'c' })).toEqual({ ok: 'c' });
    expect(await reading.ask({ do: 'keys' })).toEqual({ ok: ['a', 'c'] });
    room.run('mount', '-o', 'remount,bind,rw', view);
    expect(await reading.ask({ do: 'add', key: 'd' })).toEqual({ ok: 'd' });
    expect(await writing.ask({ do: 'keys' })).toEqual({ ok: ['a', 'c', 'd'] });
  });

  test.each([
    ['the folder is closed to us', 0o700],
    ['the file is closed to us', 0o755],
  ] as const)('somebody else: %s', async (_, folder) => {
    await using room = await Room.enter({ kilobytes: 4096 });
    const file = path.join(room.inside, 'state', 'store.db');
    await using owner = start(room);
    await owner.ask({ do: 'open', file });
    await owner.ask({ do: 'add', key: 'a' });
    chmodSync(room.outside, 0o755);
    chmodSync(path.join(room.outside, 'state'), folder);

    await using session = startAsNobody(room);
    expect(await session.ask({ do: 'open', file })).toEqual(unreadable);
    expect(await owner.ask({ do: 'add', key: 'b' })).toEqual({ ok: 'b' });
  });

  test('somebody else: all may read, only the owner may write', async () => {
    await using room = await Room.enter({ kilobytes: 4096 });
    const folder = path.join(room.outside, 'state');
    const file = path.join(room.inside, 'state', 'store.db');
    await using owner = start(room);
    await owner.ask({ do: 'open', file });
    await owner.ask({ do: 'add', key: 'a' });
    for (const open of [room.outside, folder]) chmodSync(open, 0o755);
    for (const end of ['', '-wal', '-shm']) chmodSync(path.join(folder, `store.db${end}`), 0o644);

    await using session = startAsNobody(room);
    expect(await session.ask({ do: 'open', file })).toEqual({ ok: 'opened' });
    expect(await session.ask({ do: 'keys' })).toEqual({ ok: ['a'] });
    expect(await session.ask({ do: 'add', key: 'b' })).toEqual(readOnly);
    chmodSync(folder, 0o700);
    expect(await session.ask({ do: 'keys' })).toEqual(unreadable);
    expect(await session.ask({ do: 'add', key: 'b' })).toEqual(unreadable);
    chmodSync(folder, 0o755);
    expect(await session.ask({ do: 'keys' })).toEqual({ ok: ['a'] });
  });
});
