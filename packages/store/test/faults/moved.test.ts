import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { temporaryFolder } from '@baton/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHere } from './open-here.ts';
import { readPairs } from './pairs.ts';
import { bundleSession, Session } from './session.ts';

describe(`${cites('T55')} files that are taken away from two processes`, () => {
  let program: Awaited<ReturnType<typeof bundleSession>>;
  beforeAll(async () => {
    program = await bundleSession();
  });
  afterAll(() => program[Symbol.dispose]());

  test.each<readonly [string, (file: string) => void]>([
    ['the log', (file) => rmSync(`${file}-wal`)],
    ['the index of the log', (file) => rmSync(`${file}-shm`)],
    [
      'the file, with a link in its place',
      (file) => {
        const moved = path.join(path.dirname(file), 'elsewhere', 'store.db');
        mkdirSync(path.dirname(moved));
        renameSync(file, moved);
        symlinkSync(moved, file);
      },
    ],
  ])('%s: nothing that was acknowledged is lost in a kill', async (_, takeAway) => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'store.db');
    const acknowledged: string[] = [];
    const refusals: (string | undefined)[] = [];
    const add = async (session: Session, key: string) => {
      // So large that the database ends where only its log goes on.
      const { ok, failed } = await session.ask({ do: 'add', key, bytes: 10_000 });
      if (ok) acknowledged.push(key);
      else refusals.push(failed?.code);
    };
    {
      await using first = new Session([process.execPath, program.file]);
      await using second = new Session([process.execPath, program.file]);
      for (const session of [first, second]) await session.ask({ do: 'open', file });
      for (const number of [10, 11, 12]) await add(first, `${number}`);
      await add(second, '13');
      takeAway(file);
      for (const number of [20, 21, 22]) {
        await add(first, `${number}`);
        await add(second, `${number + 10}`);
      }
      for (const session of [first, second]) {
        expect(await session.ask({ do: 'keys' })).toEqual({ ok: [...acknowledged].sort() });
      }
      await first.kill();
      await second.kill();
    }
    expect(refusals).toEqual(['store_replaced', 'store_replaced']);
    const store = await openHere(file);
    expect(await readPairs(store)).toEqual([...acknowledged].sort());
    expect(await store.check()).toEqual([]);
    await store.close();
  });
});
