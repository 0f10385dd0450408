import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import type { Store } from '@baton/store';
import { temporaryFolder } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import { openHere } from './open-here.ts';
import { Peer } from './peer.ts';

const OLD = 1;
const ADDS_COLUMN = 2;
const RENAMES_COLUMN = 3;

async function writeMany(peer: Peer, name: string): Promise<string[]> {
  const ids = Array.from({ length: 25 }, (_, index) => `${name} ${index}`);
  for (const id of ids) await peer.ask('note', id, id);
  return ids;
}

async function rowsOf(store: Store): Promise<unknown> {
  return store.read(async ({ db }) => ({
    copies: await db
      .selectFrom('note_copies' as never)
      .selectAll()
      .execute(),
    schemas: await db.selectFrom('schemas').selectAll().execute(),
  }));
}

describe(`${cites('T43')} an old and a new Baton on one store`, () => {
  test('both go on after the new one has added something', async () => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'baton.db');
    await using old = await Peer.start({ file, version: OLD });
    await old.ask('note', 'before', '');
    await using young = await Peer.start({ file, version: ADDS_COLUMN });
    expect((await young.ask('about')).schemas).toMatchObject({ test: 2 });

    const ids = (await Promise.all([writeMany(old, 'old'), writeMany(young, 'new')])).flat();

    const expected = [...ids, 'before']
      .sort()
      .map((id) => expect.objectContaining({ id, mood: 'calm' }));
    expect(await old.ask('notes')).toEqual(expected);
    expect(await young.ask('notes')).toEqual(expected);
    await using late = await Peer.start({ file, version: OLD });
    expect(await late.ask('notes')).toEqual(expected);
  });

  test('the old one, still running, is refused after the new one has changed something', async () => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'baton.db');
    await using old = await Peer.start({ file, version: OLD });
    await old.ask('note', 'before', '');
    await using _young = await Peer.start({ file, version: RENAMES_COLUMN });
    await using store = await openHere(file, { migrations: RENAMES_COLUMN });
    const before = await rowsOf(store);

    const refused = { code: 'store_too_new', next: expect.stringContaining('newer Baton') };
    await expect(old.ask('note', 'after', '')).rejects.toMatchObject(refused);
    await expect(old.ask('createOnce', 'after', 'answer')).rejects.toMatchObject(refused);
    await expect(old.ask('notes')).rejects.toMatchObject(refused);
    await using late = new Peer({ file, version: OLD });
    expect((await late.program.exited).code).not.toBe(0);
    expect(late.program.stderr).toContain('was changed by a newer Baton');
    expect(await rowsOf(store)).toEqual(before);
    expect(await store.check()).toEqual([]);
  });

  test('the new one waits with such a change until the old one holds nothing', async () => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'baton.db');
    await using old = await Peer.start({ file, version: OLD, label: 'old worker' });
    await old.ask('add', [{ id: 'job', workspace: '', queue: 'jobs' }]);
    await old.ask('claim', 'jobs');

    await using hasty = new Peer({ file, version: RENAMES_COLUMN, deadlineMs: 0 });
    expect((await hasty.program.exited).code).not.toBe(0);
    expect(hasty.program.stderr).toContain(
      'processes of an older one still work with it: old worker',
    );
    await old.ask('report', 'goes on');

    await using patient = new Peer({ file, version: RENAMES_COLUMN });
    await old.ask('complete');
    await patient.ready();
    expect((await patient.ask('about')).schemas).toMatchObject({ test: 3 });
  });
});
