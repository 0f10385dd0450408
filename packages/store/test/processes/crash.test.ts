import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { addWork, type Store } from '@baton/store';
import { createRandom, type Random, temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';
import { openHere } from './open-here.ts';
import { Peer } from './peer.ts';
import type { Step } from './programs/dag-worker.ts';
import type { TestTables } from './programs/tables.ts';

const KILLS = Number(process.env['BATON_TEST_KILLS'] ?? 40);
const SEED = Number(process.env['BATON_TEST_SEED'] ?? 20260728);
const JOBS = 150;
const WORKERS = 4;
/** One in so many is killed while it starts. */
const KILLED_AT_START = 6;
const LONGEST_START_MS = 300;
const MOST_STEPS = 20;
const LONGEST_DELAY_MS = 6;

interface Job {
  readonly id: string;
  readonly needs: readonly string[];
}

/** When a worker is killed: so long after so many acknowledged steps. */
interface Moment {
  readonly steps: number;
  readonly delayMs: number;
}

interface Told {
  readonly asked: Step[];
  readonly acknowledged: Step[];
}

/** Each job needs up to three of the twenty before it. */
function drawGraph(random: Random, queue: string): Job[] {
  const jobs: Job[] = [];
  for (let index = 0; index < JOBS; index += 1) {
    const near = jobs.slice(-20);
    const count = near.length === 0 ? 0 : random.integer(4);
    const needs = Array.from({ length: count }, () => random.pick(near).id);
    jobs.push({ id: `${queue} ${index}`, needs: [...new Set(needs)] });
  }
  return jobs;
}

function drawMoment(random: Random): Moment {
  if (random.integer(KILLED_AT_START) === 0) {
    return { steps: 0, delayMs: random.integer(LONGEST_START_MS) };
  }
  return { steps: 1 + random.integer(MOST_STEPS), delayMs: random.integer(LONGEST_DELAY_MS) };
}

/** Runs a worker until it is killed or all work is done. Keeps what it was told. */
async function runWorker(
  file: string,
  queue: string,
  moment: Moment | undefined,
  told: Told,
): Promise<'killed' | 'done'> {
  await using peer = new Peer({ file });
  let isKilled = false;
  const kill = () => {
    isKilled = true;
    peer.program.child.kill('SIGKILL');
  };
  if (moment) void killAt(peer, moment, kill);
  try {
    await peer.ready();
    await peer.ask('work', queue);
    return 'done';
  } catch (error) {
    if (!isKilled) throw error;
    await peer.program.exited;
    return 'killed';
  } finally {
    told.asked.push(...peer.said<Step>('asked'));
    told.acknowledged.push(...peer.said<Step>('acknowledged'));
  }
}

async function killAt(peer: Peer, { steps, delayMs }: Moment, kill: () => void): Promise<void> {
  const enough = () => peer.said('acknowledged').length >= steps;
  await peer.program.until(`${steps} steps`, enough).then(
    () => setTimeout(kill, delayMs),
    () => {}, // It has ended by itself.
  );
}

/** Works on one graph with several workers, each replaced when it is killed. Returns the kills. */
async function runGraph(
  file: string,
  queue: string,
  kills: number,
  random: Random,
  told: Told,
): Promise<number> {
  let left = kills;
  let killed = 0;
  const occupy = async () => {
    for (;;) {
      left -= 1;
      const moment = left >= 0 ? drawMoment(random) : undefined;
      if ((await runWorker(file, queue, moment, told)) === 'done') return;
      killed += 1;
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, occupy));
  return killed;
}

async function readAll(store: Store) {
  return store.read(async (tx) => {
    const db = tx.db.withTables<TestTables>();
    return {
      work: await db.selectFrom('work').selectAll().execute(),
      leases: await db.selectFrom('leases').selectAll().where('owner', 'is not', null).execute(),
      attempts: await db.selectFrom('attempts').selectAll().orderBy('seq').execute(),
      notes: await db.selectFrom('notes').selectAll().orderBy('id').execute(),
      copies: await db.selectFrom('note_copies').selectAll().orderBy('id').execute(),
      history: await db.selectFrom('history').selectAll().orderBy('seq').execute(),
    };
  });
}

type All = Awaited<ReturnType<typeof readAll>>;

const keyOf = ({ step, job, attempt }: Step) => `${step} of ${job}, attempt ${attempt}`;

/** What is in the store, in the words of those who wrote it. */
function stepsIn({ attempts, notes, history }: All): string[] {
  const started = attempts.filter(({ what }) => what === 'started');
  return [
    ...started.map((row) => keyOf({ step: 'claim', job: row.work_id, attempt: row.number })),
    ...notes.filter(({ writer }) => writer === 'worker').map(({ id }) => `progress of ${id}`),
    ...history.map((row) => keyOf({ step: 'complete', ...row })),
  ];
}

function expectEverythingAcknowledged(all: All, { asked, acknowledged }: Told): void {
  const there = stepsIn(all);
  const created = new Map(all.notes.map(({ id, body }) => [id, body]));
  for (const step of acknowledged) {
    if (step.step === 'create') expect(created.get(step.note ?? '')).toBe(step.job);
    else expect(there).toContain(keyOf(step));
  }
  // What was asked and not answered may be there or not; what nobody asked for may not.
  expect(new Set(there).size).toBe(there.length);
  const wanted = new Set(asked.map(keyOf));
  const claims = there.filter((key) => key.startsWith('claim'));
  expect(there.filter((key) => !wanted.has(key) && !claims.includes(key))).toEqual([]);
  expect(claims.length).toBeLessThanOrEqual(asked.filter(({ step }) => step === 'claim').length);
}

function expectNothingHalfDone({ notes, copies }: All): void {
  expect(copies).toEqual(notes.map(({ id, body }) => ({ id, body })));
}

function expectEachJobOnceAndInOrder(all: All, jobs: readonly Job[]): void {
  expect(all.history.map(({ job }) => job).sort()).toEqual(jobs.map(({ id }) => id).sort());
  const position = new Map(all.history.map(({ job }, index) => [job, index]));
  const before = (needed: string, id: string) =>
    (position.get(needed) ?? Number.NaN) < (position.get(id) ?? Number.NaN);
  expect(jobs.flatMap(({ id, needs }) => needs.filter((needed) => !before(needed, id)))).toEqual(
    [],
  );
  for (const { id } of jobs) {
    const story = all.attempts.filter(({ work_id }) => work_id === id).map(({ what }) => what);
    expect(story.join(' ')).toMatch(/^(started lost )*started succeeded$/);
    expect(all.notes.filter(({ body, writer }) => writer === 'create' && body === id)).toHaveLength(
      1,
    );
  }
  expect(all.work.every(({ state }) => state === 'succeeded')).toBe(true);
  expect(all.leases).toEqual([]);
}

test(`${cites('T8')} ${KILLS} kills at random moments lose nothing, halve nothing and repeat nothing (seed ${SEED})`, {
  timeout: 60_000 + KILLS * 5_000,
}, async () => {
  using folder = temporaryFolder();
  const file = path.join(folder.path, 'baton.db');
  const random = createRandom(SEED);
  const told: Told = { asked: [], acknowledged: [] };
  const jobs: Job[] = [];
  await using store = await openHere(file);

  for (let kills = 0; kills < KILLS; ) {
    const queue = `graph ${jobs.length / JOBS}`;
    const graph = drawGraph(random, queue);
    jobs.push(...graph);
    await store.write('durable', (tx) =>
      addWork(
        tx,
        graph.map((job) => ({ ...job, workspace: '', queue, maxAttempts: 1_000 })),
      ),
    );
    kills += await runGraph(file, queue, KILLS - kills, random, told);
  }

  const all = await readAll(store);
  expectEverythingAcknowledged(all, told);
  expectNothingHalfDone(all);
  expectEachJobOnceAndInOrder(all, jobs);
  expect(await store.check()).toEqual([]);
});
