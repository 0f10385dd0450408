import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { addWork, type Store } from '@baton/store';
import { temporaryFolder } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import { mixedLibraries } from './libraries.ts';
import { openHere } from './open-here.ts';
import { Peer, type StartOptions, startPeers } from './peer.ts';
import type { Acknowledged } from './programs/race.ts';
import type { TestTables } from './programs/tables.ts';

/** Beside each claim a row is created or a counter counted: twice as many writes in all. */
const CLAIMS = Number(process.env['BATON_TEST_WRITES'] ?? 2000) / 2;
const RACERS = 8;
const QUEUE = 'race';
/** More than this is felt by whoever waits for an answer of the same process. */
const LONGEST_STALL_MS = 100;

interface Outcome {
  /** What each racer was told that it has done. */
  readonly acknowledged: readonly Acknowledged[][];
  readonly longestStretchMs: number;
  /** The same of a process that writes to the same disk at the same time, but not to the store. */
  readonly noiseMs: number;
  readonly libraries: ReadonlySet<string>;
}

/** All are ready before the first one starts. */
async function runRace(file: string, racers: readonly StartOptions[]): Promise<Outcome> {
  await using peers = await startPeers(racers);
  await using bystander = await Peer.start({ file });
  const racing = peers.map((peer) => peer.ask('race', QUEUE));
  const [noiseMs, stretches] = await Promise.all([
    bystander.ask('control', `${file}-control`),
    Promise.all(racing).finally(() => bystander.ask('endControl')),
  ]);
  const libraries = await Promise.all(peers.map((peer) => peer.ask('about')));
  return {
    acknowledged: peers.map((peer) => peer.said<Acknowledged>('acknowledged')),
    longestStretchMs: Math.max(...stretches.map(({ longestStretchMs }) => longestStretchMs)),
    noiseMs,
    libraries: new Set(libraries.map(({ driver }) => driver)),
  };
}

async function addClaims(store: Store): Promise<string[]> {
  const ids = Array.from({ length: CLAIMS }, (_, index) => `work ${index}`);
  await store.write('durable', (tx) =>
    addWork(
      tx,
      ids.map((id) => ({ id, workspace: '', queue: QUEUE })),
    ),
  );
  return ids;
}

/** Compares what the racers were told with what is there. */
async function expectNothingLost(store: Store, { acknowledged }: Outcome): Promise<void> {
  const all = acknowledged.flat();
  const found = await store.read(async (tx) => {
    const db = tx.db.withTables<TestTables>();
    return {
      notes: await db.selectFrom('notes').select('id').execute(),
      copies: await db.selectFrom('note_copies').select('id').execute(),
      counter: await db.selectFrom('counters').select('value').executeTakeFirst(),
      started: await db.selectFrom('attempts').select(['work_id', 'number', 'what']).execute(),
    };
  });
  const created = all.flatMap((one) => ('created' in one ? [one.created] : []));
  expect(found.notes.map(({ id }) => id).sort()).toEqual(created.sort());
  expect(found.copies).toHaveLength(created.length);

  const counted = all.flatMap((one) => ('counted' in one ? [one.counted] : []));
  expect(new Set(counted).size).toBe(counted.length);
  expect(found.counter?.value).toBe(counted.length);

  const won = all.flatMap((one) => ('won' in one ? [one.won] : []));
  expect(found.started.map((one) => one.work_id).sort()).toEqual(won.sort());
  expect(found.started.every((one) => one.what === 'started' && one.number === 1)).toBe(true);
  expect(created.length + counted.length).toBe(won.length);
}

function shares({ acknowledged }: Outcome): number[] {
  return acknowledged.map((one) => one.filter((what) => 'won' in what).length);
}

function racersOn(file: string, options: (index: number) => Partial<StartOptions>): StartOptions[] {
  return Array.from({ length: RACERS }, (_, index) => ({
    file,
    label: `racer ${index}`,
    ...options(index),
  }));
}

// Seconds on a machine of its own, most of a minute on one that does seven other things.
describe(`${cites('T18')} eight processes on one store`, { timeout: 240_000 }, () => {
  test('each claim has one winner, nothing acknowledged is lost, nobody starves or stalls', async () => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'baton.db');
    await using store = await openHere(file);
    const work = await addClaims(store);

    const outcome = await runRace(
      file,
      racersOn(file, () => ({})),
    );

    await expectNothingLost(store, outcome);
    const won = shares(outcome);
    expect(won.reduce((sum, count) => sum + count)).toBe(work.length);
    // Pauses are random: half of an equal share has been seen. Who starves gets next to nothing.
    expect(Math.min(...won)).toBeGreaterThanOrEqual(work.length / RACERS / 4);
    expect(outcome.longestStretchMs).toBeLessThan(LONGEST_STALL_MS + 2 * outcome.noiseMs);
    expect(await store.check()).toEqual([]);
  });

  test.runIf(mixedLibraries)(
    `some with node:sqlite, some with @photostructure/sqlite (${mixedLibraries ? 'both are here' : 'not on this Node.js, which has only one of them; name a newer one with BATON_TEST_NODE'})`,
    async () => {
      using folder = temporaryFolder();
      const file = path.join(folder.path, 'baton.db');
      await using store = await openHere(file);
      await addClaims(store);
      const ways = mixedLibraries ?? [];

      const outcome = await runRace(
        file,
        racersOn(file, (index) => ways[index % ways.length] ?? {}),
      );

      await expectNothingLost(store, outcome);
      expect(outcome.libraries).toEqual(new Set(ways.map(({ binding }) => binding)));
      expect(shares(outcome).every((won) => won > 0)).toBe(true);
      expect(await store.check()).toEqual([]);
    },
  );
});
