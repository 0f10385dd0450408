import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Figures, percentile } from './figures.ts';
import { inTurns } from './in-turns.ts';
import { gitJobs } from './plans/git/jobs.ts';
import { NAMES, type Name, ROWS, type RowId, SIZES, TARGETS } from './plans/rows.ts';
import { schedulingCost } from './plans/scheduling.ts';
import { PlanSession } from './plans/session.ts';
import { buildBaton, buildGitLoop, buildSpawnLoop, root } from './programs.ts';
import { describeMachine, environment, makeHome, progress, readLoad, runBench } from './run.ts';
import { ServerProcess } from './server-process.ts';
import { renderFigures } from './table.ts';
import { isAnyMissed, renderTargets } from './targets.ts';

interface Rounds {
  readonly noOps: number;
  readonly jobs: number;
  readonly chain: number;
  readonly scheduling: number;
  readonly memory: number;
  readonly git: number;
  readonly gitJobs: number;
}

const FULL: Rounds = {
  noOps: 5,
  jobs: 500,
  chain: 100,
  scheduling: 3,
  memory: 3,
  git: 5,
  gitJobs: 50,
};
const QUICK: Rounds = {
  noOps: 1,
  jobs: 50,
  chain: 10,
  scheduling: 1,
  memory: 1,
  git: 1,
  gitJobs: 8,
};
const PARALLEL = 4;

interface Bench {
  readonly figures: Figures<RowId, Name>;
  readonly home: string;
  readonly baton: string;
  readonly spawnLoop: string;
  readonly gitLoop: string;
}

async function run(isQuick: boolean): Promise<void> {
  const home = makeHome();
  const loadBefore = readLoad();
  progress('build');
  const [baton, spawnLoop, gitLoop] = await Promise.all([
    buildBaton(),
    buildSpawnLoop(),
    buildGitLoop(),
  ]);
  const figures = new Figures<RowId, Name>();
  await measureAll({ figures, home, baton, spawnLoop, gitLoop }, isQuick ? QUICK : FULL);
  process.stdout.write(
    `${describeMachine()}, load ${loadBefore} before and ${readLoad()} after\n` +
      'medians. bare: a loop in Node that spawns the same processes, as many at once;\n' +
      'with worktrees a script that runs the bare git commands\n\n' +
      `${renderFigures(figures, ROWS, NAMES)}\n\n` +
      `targets\n${renderTargets(TARGETS, figures)}\n`,
  );
  // The few rounds of a smoke run say that everything works, not how fast.
  if (!isQuick && isAnyMissed(TARGETS, figures)) process.exitCode = 1;
}

async function measureAll(bench: Bench, rounds: Rounds): Promise<void> {
  progress(`${rounds.jobs} jobs that do nothing, ${rounds.noOps} rounds`);
  await inTurns(rounds.noOps, NAMES, (name) => noOps(bench, name, rounds.jobs));
  progress(`a chain of ${rounds.chain} jobs`);
  await inTurns(1, NAMES, (name) => latency(bench, name, rounds.chain));
  progress(`scheduling, ${rounds.scheduling} rounds`);
  for (let round = 0; round < rounds.scheduling; round += 1) await scheduling(bench);
  progress(`memory, ${rounds.memory} rounds`);
  for (let round = 0; round < rounds.memory; round += 1) await memory(bench);
  progress(`${rounds.gitJobs} jobs in worktrees, ${rounds.git} rounds`);
  await inTurns(rounds.git, NAMES, (name) => gitJobs(bench, name, rounds.gitJobs, PARALLEL));
}

async function noOps(bench: Bench, name: Name, count: number): Promise<void> {
  if (name === 'bare') {
    const commands = Array.from({ length: count }, () => ['true']);
    bench.figures.add('no-ops', name, await spawnLoop(bench, commands, PARALLEL));
    return;
  }
  await using session = new PlanSession(bench.baton, bench.home);
  const work = { type: 'process' as const, executable: 'true' };
  // Both programs are up and have their code compiled, as the loop's is.
  await session.run([{ id: 'warm-up', work }], { maxParallel: 1 });
  const jobs = Array.from({ length: count }, (_, index) => ({ id: `job-${index}`, work }));
  const started = performance.now();
  await session.run(jobs, { maxParallel: PARALLEL });
  bench.figures.add('no-ops', name, performance.now() - started);
}

/** Each job writes down when it runs; in between lie its end, the decision, and the next start. */
async function latency(bench: Bench, name: Name, count: number): Promise<void> {
  const file = join(bench.home, `stamps-${name}`);
  rmSync(file, { force: true });
  const command = ['/bin/sh', '-c', `date +%s%N >> '${file}'`] as const;
  if (name === 'bare') {
    await spawnLoop(
      bench,
      Array.from({ length: count }, () => [...command]),
      1,
    );
  } else {
    await using session = new PlanSession(bench.baton, bench.home);
    const [executable, ...args] = command;
    const jobs = Array.from({ length: count }, (_, index) => ({
      id: `job-${index}`,
      work: { type: 'process' as const, executable, args },
      needs: index === 0 ? [] : [`job-${index - 1}`],
    }));
    await session.run(jobs, { maxParallel: PARALLEL });
  }
  const stamps = readFileSync(file, 'utf8').trim().split('\n').map(BigInt);
  const gaps = stamps.slice(1).map((at, index) => Number(at - (stamps[index] ?? at)) / 1e6);
  bench.figures.add('latency-p50', name, percentile(gaps, 0.5));
  bench.figures.add('latency-p99', name, percentile(gaps, 0.99));
}

async function scheduling({ figures, home }: Bench): Promise<void> {
  const costs: number[] = [];
  for (const size of SIZES) {
    const cost = await schedulingCost(home, size);
    costs.push(cost);
    figures.add(`schedule-${size}`, 'baton', cost);
  }
  const [first, last] = [costs.at(0), costs.at(-1)];
  if (first && last) figures.add('schedule-ratio', 'baton', last / first);
}

async function memory(bench: Bench): Promise<void> {
  const one = await workerMemory(bench, 1);
  const many = await workerMemory(bench, 4999);
  bench.figures.add('memory-one', 'baton', one);
  bench.figures.add('memory-many', 'baton', many);
  if (one && many) bench.figures.add('memory-ratio', 'baton', many / one);
}

async function workerMemory(bench: Bench, pending: number): Promise<number | undefined> {
  await using session = new PlanSession(bench.baton, bench.home);
  const first = { id: 'first', work: 'sleep 60' };
  const rest = Array.from({ length: pending }, (_, index) => ({
    id: `job-${index}`,
    work: 'true',
    needs: ['first'],
  }));
  const { id } = await session.create([first, ...rest], { maxParallel: PARALLEL });
  let isRunning = false;
  while (!isRunning) {
    const view = await session.call('plan_get', { plan: id, view: 'job', job: 'first' });
    isRunning = (view as { job?: { state?: string } }).job?.state === 'running';
  }
  const used = session.worker.memory;
  await session.call('plan_control', { plan: id, action: 'cancel' });
  await session.call('plan_get', { plan: id, waitSeconds: 30 });
  return used;
}

async function spawnLoop(
  { home, spawnLoop: program }: Bench,
  commands: readonly (readonly string[])[],
  parallel: number,
): Promise<number> {
  const options = JSON.stringify({ commands, parallel });
  await using loop = new ServerProcess([program, options], root, environment(home));
  await loop.received(1);
  return Number(loop.takeLines()[0]);
}

await runBench(run);
