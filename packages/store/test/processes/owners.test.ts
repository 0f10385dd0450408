import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { BatonError } from '@baton/core';
import { cites } from '@baton/e2e/requirements';
import { attemptsOf, type Lease, type Store } from '@baton/store';
import { temporaryFolder } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import { openHere } from './open-here.ts';
import { Peer } from './peer.ts';
import { until } from './until.ts';

const QUEUE = 'jobs';
const LEASE = 'work/job';
const job = { id: 'job', workspace: '', queue: QUEUE };
const isLinux = process.platform === 'linux';

function stateOf(pid: number): string {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2)[0] ?? '';
}

/** Stopped within a write it would hold up everybody, which is not what is tested here. */
async function stopBetweenWrites({ program }: Peer, store: Store): Promise<void> {
  const { child } = program;
  await until('a stop between two writes', async () => {
    child.kill('SIGSTOP');
    await until('the stop', async () => stateOf(child.pid ?? 0) === 'T');
    try {
      await store.write('durable', async () => {});
      return true;
    } catch {
      child.kill('SIGCONT');
      return false;
    }
  });
}

describe.runIf(isLinux)(`${cites('T17')} an owner that stops for a while (needs /proc)`, () => {
  test('its work is taken over after the silence, its late write is refused', async () => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'baton.db');
    await using store = await openHere(file, { deadlineMs: 1_000 });
    await using owner = await Peer.start({ file, label: 'the sleeper', silenceMs: 600 });
    await using other = await Peer.start({ file, label: 'the other' });
    await owner.ask('add', [job]);
    const first = await owner.ask('claim', QUEUE);

    await stopBetweenWrites(owner, store);
    expect((await other.ask('expire')).names).toEqual([]);
    expect(await other.ask('claim', QUEUE)).toBeNull();
    await until('the end of the lease', async () =>
      (await other.ask('expire')).names.includes(LEASE),
    );
    const second = await other.ask('claim', QUEUE);
    expect(second?.lease.number).toBeGreaterThan(first?.lease.number ?? Number.NaN);

    owner.program.child.kill('SIGCONT');
    const refusal: BatonError = await owner.ask('report', 'too late').then(
      () => expect.unreachable('The late write was accepted'),
      (error) => error,
    );
    expect(refusal).toMatchObject({ code: 'lease_lost' });
    expect(refusal.message).toBe(
      `The claim on ${LEASE} is over: the other has it now. Nothing was changed.`,
    );
    expect(refusal.next).toContain('Stop working on it, and claim something again');
    const { params: lost } = await owner.program.notification('lost');
    expect((lost as Lease).number).toBe(first?.lease.number);

    await other.ask('report', 'in time');
    await other.ask('complete');
    await expect(owner.ask('complete')).rejects.toMatchObject({ code: 'lease_lost' });
    expect((await other.ask('notes')).map(({ id }) => id)).toEqual(['in time']);
    const story = await store.read((tx) => attemptsOf(tx, 'job'));
    expect(story.map(({ what }) => what)).toEqual(['started', 'lost', 'started', 'succeeded']);
  });
});

describe(`${cites('T17')} an owner that is killed`, () => {
  test('the first look takes its work over', async () => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'baton.db');
    await using owner = await Peer.start({ file });
    await using other = await Peer.start({ file });
    await owner.ask('add', [job]);
    await owner.ask('claim', QUEUE);
    expect((await other.ask('expire')).names).toEqual([]);

    await owner.kill();

    expect((await other.ask('expire')).names).toEqual([LEASE]);
    expect((await other.ask('claim', QUEUE))?.work.attempts).toBe(2);
  });
});

interface Identity {
  readonly host: string;
  readonly boot: string;
  readonly pid: number;
  readonly started: string;
}

/** Above what Linux gives to a process. */
const NOBODY = 2 ** 22 + 1;

const owners: readonly [string, 'over' | 'held', (other: Identity, own: Identity) => Identity][] = [
  ['a living process', 'held', (other) => other],
  ['a process whose number another one has now', 'over', (other) => ({ ...other, started: '1' })],
  ['a process from before a restart of the machine', 'over', (other) => ({ ...other, boot: 'b' })],
  ['a number that nobody has', 'over', (other) => ({ ...other, pid: NOBODY })],
  ['process 1 of an earlier container', 'over', (other) => ({ ...other, pid: 1 })],
  ['the one who looks', 'held', (_, own) => own],
  ['an earlier one with the number of who looks', 'over', (_, own) => ({ ...own, started: '1' })],
  ['a process elsewhere', 'held', (other) => ({ ...other, host: 'elsewhere', pid: NOBODY })],
];

describe.runIf(isLinux)(`${cites('T36')} who is dead (needs /proc)`, () => {
  test.each(owners)('a lease of %s is %s', async (_, end, identify) => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'baton.db');
    await using store = await openHere(file);
    await using owner = await Peer.start({ file });
    await using other = await Peer.start({ file });
    await owner.ask('add', [job]);
    await owner.ask('claim', QUEUE);
    const identities = [await owner.ask('about'), await other.ask('about')].map(
      ({ process }) => JSON.parse(process) as Identity,
    ) as [Identity, Identity];
    const identity = JSON.stringify(identify(...identities));
    await store.write('durable', ({ db }) =>
      db.updateTable('leases').set({ process: identity }).execute(),
    );

    expect((await other.ask('expire')).names).toEqual(end === 'over' ? [LEASE] : []);
  });

  test('a lease of a zombie is over', async () => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'baton.db');
    await using other = await Peer.start({ file });
    // `sleep` becomes the parent of the peer, and never asks what has become of it.
    const command = ['sh', '-c', 'exec 3<&0; "$0" "$@" <&3 & exec sleep 600', process.execPath];
    await using owner = new Peer({ file, command: command as [string, ...string[]] });
    const { pid } = await owner.ready();
    try {
      await owner.ask('add', [job]);
      await owner.ask('claim', QUEUE);
      expect((await other.ask('expire')).names).toEqual([]);
    } finally {
      process.kill(pid, 'SIGKILL');
    }
    await until('a zombie', async () => stateOf(pid) === 'Z');
    expect(process.kill(pid, 0)).toBe(true);

    expect((await other.ask('expire')).names).toEqual([LEASE]);
  });
});
