import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Room } from './room.ts';
import { type Answer, bundleSession, Session } from './session.ts';

const full = {
  failed: {
    code: 'store_full',
    message: expect.stringMatching(/^There is no room to write the store \S+; nothing was changed/),
    next: expect.stringContaining('Free some disk space'),
  },
};

// A file system of our own needs Linux.
describe.runIf(process.platform === 'linux')(`${cites('T19')} a full disk`, () => {
  let program: Awaited<ReturnType<typeof bundleSession>>;
  beforeAll(async () => {
    program = await bundleSession();
  });
  afterAll(() => program[Symbol.dispose]());

  const start = (room: Room) => new Session(room.command(process.execPath, program.file));

  /** A store as a process leaves it that ends well. */
  const leaveBehind = async (room: Room, file: string) => {
    await using session = start(room);
    await session.ask({ do: 'open', file });
    await session.ask({ do: 'add', key: 'a' });
    await session.ask({ do: 'close' });
    await session.end();
  };

  test.each([4, 16, 40, 64, 128])(
    'of %i KiB: opening fails, and works once there is room',
    async (kilobytes) => {
      await using room = await Room.enter({ kilobytes });
      await using session = start(room);
      const file = path.join(room.inside, 'state', 'store.db');
      expect(await session.ask({ do: 'open', file })).toEqual(full);
      room.resize(1024);
      expect(await session.ask({ do: 'open', file })).toEqual({ ok: 'opened' });
      expect(await session.ask({ do: 'add', key: 'a' })).toEqual({ ok: 'a' });
      expect(readdirSync(path.join(room.outside, 'state')).sort()).toEqual([
        'store.db',
        'store.db-shm',
        'store.db-wal',
      ]);
    },
  );

  test('while it is written: refused, readable, and it goes on when there is room', async () => {
    await using room = await Room.enter({ kilobytes: 1024 });
    const file = path.join(room.inside, 'store.db');
    await using session = start(room);
    await session.ask({ do: 'open', file });
    const { acknowledged, refusal } = await addUntilRefused(session, 5000);
    expect(refusal).toEqual(full);
    expect(acknowledged.length).toBeGreaterThan(3);
    expect(await session.ask({ do: 'keys' })).toEqual({ ok: acknowledged });
    expect(await session.ask({ do: 'check' })).toEqual({ ok: [] });

    await using beside = start(room);
    expect(await beside.ask({ do: 'open', file })).toEqual({ ok: 'opened' });
    expect(await beside.ask({ do: 'keys' })).toEqual({ ok: acknowledged });
    expect(await beside.ask({ do: 'add', key: 'z', bytes: 50_000 })).toEqual(full);
    await beside.end();

    room.resize(4096);
    expect(await session.ask({ do: 'add', key: 'z', bytes: 50_000 })).toEqual({ ok: 'z' });
    expect(await session.ask({ do: 'keys' })).toEqual({ ok: [...acknowledged, 'z'] });
    expect(await session.ask({ do: 'check' })).toEqual({ ok: [] });
  });

  test('left by a killed process: the next one reads everything', async () => {
    await using room = await Room.enter({ kilobytes: 1024 });
    const file = path.join(room.inside, 'store.db');
    await using killed = start(room);
    await killed.ask({ do: 'open', file });
    const { acknowledged } = await addUntilRefused(killed, 5000);
    await killed.kill();
    fill(room.outside);

    await using session = start(room);
    expect(await session.ask({ do: 'open', file })).toEqual({ ok: 'opened' });
    expect(await session.ask({ do: 'keys' })).toEqual({ ok: acknowledged });
    expect(await session.ask({ do: 'check' })).toEqual({ ok: [] });
  });

  test('closed while it is full: the next one reads everything', async () => {
    await using room = await Room.enter({ kilobytes: 1024 });
    const file = path.join(room.inside, 'store.db');
    await using closed = start(room);
    await closed.ask({ do: 'open', file });
    const { acknowledged } = await addUntilRefused(closed, 5000);
    expect(await closed.ask({ do: 'close' })).toEqual({ ok: null });
    await closed.end();
    fill(room.outside);

    await using session = start(room);
    expect(await session.ask({ do: 'open', file })).toEqual({ ok: 'opened' });
    expect(await session.ask({ do: 'keys' })).toEqual({ ok: acknowledged });
  });

  test('closed before it was full: the next one reads everything', async () => {
    await using room = await Room.enter({ kilobytes: 1024 });
    const file = path.join(room.inside, 'store.db');
    await leaveBehind(room, file);
    fill(room.outside);

    await using session = start(room);
    expect(await session.ask({ do: 'open', file })).toEqual({ ok: 'opened' });
    expect(await session.ask({ do: 'keys' })).toEqual({ ok: ['a'] });
    expect(await session.ask({ do: 'add', key: 'b', bytes: 50_000 })).toEqual(full);
    empty(room.outside);
    expect(await session.ask({ do: 'add', key: 'b', bytes: 50_000 })).toEqual({ ok: 'b' });
    expect(await session.ask({ do: 'check' })).toEqual({ ok: [] });
  });

  // SQLite needs two files beside it, even to read; there is no room for them.
  test('nothing but the file, and no room: refused, and opened when there is room', async () => {
    await using room = await Room.enter({ kilobytes: 1024 });
    const file = path.join(room.inside, 'store.db');
    await leaveBehind(room, file);
    // SQLite itself has removed them if its writing connection was the last one that was collected.
    for (const end of ['-wal', '-shm']) {
      rmSync(path.join(room.outside, `store.db${end}`), { force: true });
    }
    fill(room.outside);

    await using session = start(room);
    expect(await session.ask({ do: 'open', file })).toEqual(full);
    empty(room.outside);
    expect(await session.ask({ do: 'open', file })).toEqual({ ok: 'opened' });
    expect(await session.ask({ do: 'keys' })).toEqual({ ok: ['a'] });
  });

  test('a backup that does not fit leaves nothing behind', async () => {
    await using room = await Room.enter({ kilobytes: 512 });
    await using session = start(room);
    await session.ask({ do: 'open', file: path.join(room.inside, 'store.db') });
    await session.ask({ do: 'add', key: 'a', bytes: 100_000 });
    const target = path.join(room.inside, 'backup.db');
    const { failed } = await session.ask({ do: 'backup', target });
    expect(failed).toEqual({
      code: 'backup_failed',
      message: expect.stringContaining(target),
      next: expect.stringContaining('has room'),
    });
    expect(readdirSync(room.outside).filter((name) => name.startsWith('backup'))).toEqual([]);
    expect(await session.ask({ do: 'keys' })).toEqual({ ok: ['a'] });
  });
});

async function addUntilRefused(session: Session, bytes: number) {
  const acknowledged: string[] = [];
  for (;;) {
    const key = `k${String(acknowledged.length).padStart(4, '0')}`;
    const answer: Answer = await session.ask({ do: 'add', key, bytes });
    if (!answer.ok) return { acknowledged, refusal: answer };
    acknowledged.push(key);
  }
}

/** Uses up what is left, to the last block. */
function fill(folder: string): void {
  const file = path.join(folder, 'filler');
  for (let blocks = 1; ; blocks += 1) {
    try {
      writeFileSync(`${file}${blocks}`, Buffer.alloc(4096));
    } catch {
      rmSync(`${file}${blocks}`, { force: true });
      return;
    }
  }
}

function empty(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith('filler')) rmSync(path.join(folder, name));
  }
}
