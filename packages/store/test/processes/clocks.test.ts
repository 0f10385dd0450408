import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { temporaryFolder } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import { openHere } from './open-here.ts';
import { Peer, startPeers } from './peer.ts';
import { until } from './until.ts';

const HOUR_MS = 60 * 60 * 1_000;
const SHIFTS = { right: 0, 'ten years ahead': 10 * 365 * 24 * HOUR_MS, 'an hour behind': -HOUR_MS };
const SILENCE_MS = 2_000;
const QUEUE = 'jobs';

type Clock = keyof typeof SHIFTS;

const CLOCKS = Object.keys(SHIFTS) as Clock[];

function withClock(file: string, clock: Clock) {
  return { file, label: clock, wallShiftMs: SHIFTS[clock], silenceMs: SILENCE_MS };
}

describe(`${cites('T37')} processes whose clocks disagree`, () => {
  test('leases last while their holders beat, and no longer', async () => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'baton.db');
    await using peers = await startPeers(CLOCKS.map((clock) => withClock(file, clock)));
    await peers[0]?.ask(
      'add',
      CLOCKS.map((id) => ({ id, workspace: '', queue: QUEUE })),
    );
    const claims = [];
    for (const peer of peers) claims.push(await peer.ask('claim', QUEUE));

    const begun = await Promise.all(peers.map((peer) => peer.ask('expire')));
    await until('twice the time of silence', async () => {
      const looks = await Promise.all(peers.map((peer) => peer.ask('expire')));
      expect(looks.flatMap(({ names }) => names)).toEqual([]);
      return looks.every(({ at }, index) => at - (begun[index]?.at ?? at) > 2 * SILENCE_MS);
    });

    // Each falls silent in turn, and the next one notices.
    for (const [index, peer] of peers.entries()) {
      await peer.ask('fallSilent');
      const watcher = peers[(index + 1) % peers.length];
      const gone = await until('the end of the lease', async () => {
        const names = (await watcher?.ask('expire'))?.names ?? [];
        return names.length > 0 && names;
      });
      expect(gone).toEqual([claims[index]?.lease.name]);
      await expect(peer.ask('report', 'late')).rejects.toMatchObject({ code: 'lease_lost' });
    }
  });

  test('what one has made once, every other finds', async () => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'baton.db');
    await using peers = await startPeers(CLOCKS.map((clock) => withClock(file, clock)));

    for (const [index, peer] of peers.entries()) {
      const key = CLOCKS[index] ?? '';
      const id = await peer.ask('createOnce', key, 'answer');
      for (const other of peers) expect(await other.ask('createOnce', key, 'answer')).toBe(id);
    }
    expect(await peers[0]?.ask('notes')).toHaveLength(CLOCKS.length);
  });

  test('what one puts off is not lost to any other', async () => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'baton.db');
    await using store = await openHere(file);
    await using peers = await startPeers(CLOCKS.map((clock) => withClock(file, clock)));

    for (const peer of peers) {
      for (const other of peers) {
        await peer.ask('add', [{ id: crypto.randomUUID(), workspace: '', queue: QUEUE }]);
        const first = await peer.ask('claim', QUEUE);
        await peer.ask('fail', 50);
        const again = await until('another attempt', () => other.ask('claim', QUEUE));
        expect(again.work).toMatchObject({ id: first?.work.id, attempts: 2 });
        await other.ask('complete');
      }
    }

    const times = await store.read(async ({ db }) => [
      ...(await db.selectFrom('work').select(['at', 'delayed_at', 'delay_ms']).execute()),
      ...(await db.selectFrom('attempts').select(['at']).execute()),
      ...(await db.selectFrom('leases').select(['since', 'silence_ms']).execute()),
    ]);
    expect(times.flatMap((row) => Object.values(row)).filter((time) => time < 0)).toEqual([]);
  });

  test.each(CLOCKS)('a delay is kept among those that are %s', async (clock) => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'baton.db');
    await using first = await Peer.start(withClock(file, clock));
    await using second = await Peer.start(withClock(file, clock));
    await first.ask('add', [{ id: 'job', workspace: '', queue: QUEUE }]);
    await first.ask('claim', QUEUE);

    await first.ask('fail', HOUR_MS);

    expect(await second.ask('claim', QUEUE)).toBeNull();
  });
});
