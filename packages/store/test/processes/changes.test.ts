import path from 'node:path';
import { temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';
import { openHere } from './open-here.ts';
import { Peer } from './peer.ts';
import { createNote } from './programs/race.ts';

const WRITES = 1_000;

function lastCount(peer: Peer): number | undefined {
  return peer.said<{ count: number }>('notes').at(-1)?.count;
}

test('a process that listens hears of what another one writes', async () => {
  using folder = temporaryFolder();
  const file = path.join(folder.path, 'baton.db');
  await using store = await openHere(file);
  await using listener = await Peer.start({ file });
  await listener.ask('watchNotes');
  expect(lastCount(listener)).toBe(0);
  const write = (id: string) =>
    store.write('durable', (tx) => createNote(tx, { id, body: '', writer: 'test' }));

  await write('first');
  await listener.program.until('a notice', () => lastCount(listener) === 1);

  for (let index = 1; index < WRITES; index += 1) await write(`note ${index}`);
  await listener.program.until('the last notice', () => lastCount(listener) === WRITES);
  // Told once for many changes: it reads the state, not the events.
  expect(listener.said('notes').length).toBeLessThan(WRITES);
});
