import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Figures, percentile } from '../figures.ts';
import type { FileCounts, Name, Options, Results, Role } from './protocol.ts';
import type { RowId, Writers } from './rows.ts';
import { runWorkers, type StartWorker } from './workers.ts';

export interface Sizes {
  readonly jobs: number;
  /** So many of them each worker does before. */
  readonly warmUpJobs: number;
  readonly warmUpInserts: number;
  readonly insertMs: number;
  readonly notices: number;
  readonly events: number;
}

export interface Bench {
  readonly figures: Figures<RowId, Name>;
  readonly start: StartWorker;
  readonly folder: string;
  readonly sizes: Sizes;
  /** A store with jobs, closed, which each measurement copies. */
  readonly template: string;
  readonly library: string;
}

let copies = 0;

/** Everybody begins with the same file. */
function copyOf({ folder, template }: Bench): string {
  copies += 1;
  const file = join(folder, `${copies}.db`);
  copyFileSync(template, file);
  return file;
}

function optionsFor({ library }: Bench, name: Name, file: string): Options {
  return { name, file, library, count: 0, warmUp: 0, ms: 0 };
}

function together<Of extends Role>(
  bench: Bench,
  writers: number,
  role: Of,
  options: Options,
): Promise<Results[Of][]> {
  return runWorkers(
    bench.start,
    Array.from({ length: writers }, () => ({ role, options })),
  );
}

export async function inserts(bench: Bench, name: Name, writers: Writers): Promise<void> {
  const { insertMs: ms, warmUpInserts: warmUp } = bench.sizes;
  const options = { ...optionsFor(bench, name, copyOf(bench)), ms, warmUp };
  const results = await together(bench, writers, 'inserts', options);
  const rates = results.map(({ transactions, ms }) => transactions / (ms / 1e3));
  bench.figures.add(`insert-${writers}-rate`, name, sum(rates));
  bench.figures.add(
    `insert-${writers}-cpu`,
    name,
    (sum(results.map(({ cpuMs }) => cpuMs)) * 1e3) / sum(results.map((one) => one.transactions)),
  );
  bench.figures.add(`insert-${writers}-fair`, name, shareOfSlowest(rates));
  const made = sum(results.map(({ transactions }) => transactions)) + writers * warmUp;
  await verify(bench, options, ({ notes, events }) => notes === made && events === made + 1);
}

export async function claims(bench: Bench, name: Name, writers: Writers): Promise<void> {
  const { jobs, warmUpJobs: warmUp } = bench.sizes;
  const options = { ...optionsFor(bench, name, copyOf(bench)), warmUp };
  const results = await together(bench, writers, 'claims', options);
  const begun = Math.min(...results.map((result) => result.begun));
  const ended = Math.max(...results.map((result) => result.ended));
  const claimMs = results.flatMap((result) => result.claimMs);
  bench.figures.add(`claim-${writers}-rate`, name, claimMs.length / ((ended - begun) / 1e3));
  bench.figures.add(
    `claim-${writers}-fair`,
    name,
    shareOfSlowest(results.map((result) => result.claimMs.length)),
  );
  const cpuMs = sum(results.map((result) => result.cpuMs));
  bench.figures.add(`claim-${writers}-cpu`, name, (cpuMs * 1e3) / claimMs.length);
  bench.figures.add(`claim-${writers}-p50`, name, percentile(claimMs, 0.5));
  bench.figures.add(`claim-${writers}-p99`, name, percentile(claimMs, 0.99));
  await verify(
    bench,
    options,
    ({ succeeded, attempts, freeLeases, events }) =>
      claimMs.length === jobs - writers * warmUp &&
      succeeded === jobs &&
      freeLeases === jobs &&
      attempts === 2 * jobs &&
      events === 2 * jobs + 1,
  );
}

/** Both hear of the same commits. */
export async function notices(bench: Bench): Promise<void> {
  const file = copyOf(bench);
  const count = bench.sizes.notices;
  const options = { ...optionsFor(bench, 'baton', file), count };
  const [committed = [], ...heard] = await runWorkers<'send' | 'hear'>(bench.start, [
    { role: 'send', options },
    { role: 'hear', options },
    { role: 'hear', options: { ...options, name: 'bare' } },
  ]);
  for (const [index, name] of (['baton', 'bare'] as const).entries()) {
    const times = heard[index] ?? [];
    if (times.length !== count) throw new Error(`${name} heard ${times.length} of ${count}`);
    const latencies = times.map((at, event) => at - (committed[event] ?? 0));
    bench.figures.add('notice-p50', name, percentile(latencies, 0.5));
    bench.figures.add('notice-p99', name, percentile(latencies, 0.99));
  }
}

export async function opening(bench: Bench, name: Name): Promise<void> {
  const [times] = await together(bench, 1, 'open', optionsFor(bench, name, bench.template));
  bench.figures.add('open-first', name, times?.firstMs);
  bench.figures.add('open-again', name, times?.againMs);
}

/** The bare one keeps everything. */
export async function growth(bench: Bench, name: Name): Promise<void> {
  const options = { ...optionsFor(bench, name, copyOf(bench)), count: bench.sizes.events };
  const [sizes] = await together(bench, 1, 'grow', options);
  if (!sizes) return;
  bench.figures.add('grow-early', name, sizes.early / 1e3);
  bench.figures.add('grow-late', name, sizes.late / 1e3);
  bench.figures.add('grow-ratio', name, sizes.late / sizes.early);
}

async function verify(
  bench: Bench,
  options: Options,
  isRight: (counts: FileCounts) => boolean,
): Promise<void> {
  const [counts] = await together(bench, 1, 'verify', options);
  if (!counts?.isIntact || !isRight(counts)) {
    throw new Error(`the file is not as it should be: ${JSON.stringify(counts)}`);
  }
}

/** 100 where each has done as much as the others. */
function shareOfSlowest(done: readonly number[]): number {
  return (Math.min(...done) / (sum(done) / done.length)) * 100;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
