import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';
import { Peer, startPeers } from './peer.ts';

test(`${cites('T31')} whoever repeats a call that was killed before its answer gets what it made`, async () => {
  using folder = temporaryFolder();
  const file = path.join(folder.path, 'baton.db');
  await using first = await Peer.start({ file, label: 'first' });
  await using second = await Peer.start({ file, label: 'second' });

  await expect(first.ask('createOnce', 'key', 'die')).rejects.toThrow('ended without');
  expect((await first.program.exited).signal).toBe('SIGKILL');
  const before = await second.ask('notes');
  expect(before).toMatchObject([{ body: 'key', writer: 'first' }]);

  expect(await second.ask('createOnce', 'key', 'answer')).toBe(before[0]?.id);
  expect(await second.ask('notes')).toEqual(before);
});

test(`${cites('T31')} of many who create with one key at once, all get the same`, async () => {
  using folder = temporaryFolder();
  const file = path.join(folder.path, 'baton.db');
  await using peers = await startPeers([{ file }, { file }, { file }, { file }]);

  const ids = await Promise.all(peers.map((peer) => peer.ask('createOnce', 'key', 'answer')));

  expect(new Set(ids).size).toBe(1);
  expect(await peers[0]?.ask('notes')).toMatchObject([{ id: ids[0] }]);
});
