import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { temporaryFolder } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import { openHere } from './open-here.ts';
import { Peer, startPeers } from './peer.ts';
import { until } from './until.ts';

const HOUR_MS = 60 * 60 * 1_000;
const SHIFTS = { right: 0, 'ten years ahead': 10 * 365 * 24 * HOUR_MS, 'an hour behind': -HOUR_MS };
const PAIRS = [
  ['ten years ahead', 'right'],
  ['right', 'ten years ahead'],
  ['an hour behind', 'right'],
  ['right', 'an hour behind'],
  ['ten years ahead', 'an hour behind'],
  ['an hour behind', 'ten years ahead'],
] as const;
const SILENCE_MS = 2_000;
const QUEUE = 'jobs';

type Clock = keyof typeof SHIFTS;

function withClock(file: string, clock: Clock) {
  return { file, label: clock, wallShiftMs: SHIFTS[clock], silenceMs: SILENCE_MS };
}

describe(`${cites('T37')} processes whose clocks disagree`, () => {
  test('leases last while their holders beat, and no longer', async () => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'baton.db');
    const clocks = Object.keys(SHIFTS) as Clock[];
    await using peers = await startPeers(clocks.map((clock) => withClock(file, clock)));
    await peers[0]?.ask(
      'add',
      clocks.map((id) => ({ id, workspace: '', queue: QUEUE })),
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

  test.each(PAIRS)(
    'what one that is %s has made once, one that is %s finds',
    async (one, other) => {
      using folder = temporaryFolder();
      const file = path.join(folder.path, 'baton.db');
      await using first = await Peer.start(withClock(file, one));
      await using second = await Peer.start(withClock(file, other));

      const id = await first.ask('createOnce', 'key', 'answer');

      expect(await second.ask('createOnce', 'key', 'answer')).toBe(id);
    },
  );

  test.each(PAIRS)(
    'what one that is %s puts off is not lost to one that is %s',
    async (one, other) => {
      using folder = temporaryFolder();
      const file = path.join(folder.path, 'baton.db');
      await using store = await openHere(file);
      await using first = await Peer.start(withClock(file, one));
      await using second = await Peer.start(withClock(file, other));
      await first.ask('add', [{ id: 'job', workspace: '', queue: QUEUE }]);
      await first.ask('claim', QUEUE);

      await first.ask('fail', 100);

      const again = await until('the second attempt', () => second.ask('claim', QUEUE));
      expect(again.work.attempts).toBe(2);
      await second.ask('complete');
      const times = await store.read(async (db) => [
        ...(await db.selectFrom('work').select(['at', 'delayed_at', 'delay_ms']).execute()),
        ...(await db.selectFrom('attempts').select(['at']).execute()),
        ...(await db.selectFrom('leases').select(['since', 'silence_ms']).execute()),
      ]);
      expect(times.flatMap((row) => Object.values(row)).filter((time) => time < 0)).toEqual([]);
    },
  );

  test.each(Object.keys(SHIFTS) as Clock[])(
    'a delay is kept among those that are %s',
    async (clock) => {
      using folder = temporaryFolder();
      const file = path.join(folder.path, 'baton.db');
      await using first = await Peer.start(withClock(file, clock));
      await using second = await Peer.start(withClock(file, clock));
      await first.ask('add', [{ id: 'job', workspace: '', queue: QUEUE }]);
      await first.ask('claim', QUEUE);

      await first.ask('fail', HOUR_MS);

      expect(await second.ask('claim', QUEUE)).toBeNull();
    },
  );
});
