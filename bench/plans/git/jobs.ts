import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Figures } from '../../figures.ts';
import { environment } from '../../run.ts';
import { ServerProcess } from '../../server-process.ts';
import type { Name, RowId } from '../rows.ts';
import { type Job, PlanSession } from '../session.ts';
import { diskUse, namesIn, Peak } from './disk.ts';
import { makeRepository } from './repository.ts';

const LOOK_MS = 5;

interface GitBench {
  readonly figures: Figures<RowId, Name>;
  readonly home: string;
  readonly baton: string;
  readonly gitLoop: string;
}

/** What is measured, whoever does it. Times are of `performance.now()`. */
interface Side extends AsyncDisposable {
  /** Where its worktrees are. */
  readonly worktrees: string;
  readonly cpu: number | undefined;
  /** Does everything, and answers how long the landing took. */
  run(): Promise<number>;
}

/** Each job writes a file of its own in a worktree of its own; then all of them are merged. */
export async function gitJobs(
  bench: GitBench,
  name: Name,
  count: number,
  parallel: number,
): Promise<void> {
  const { figures, home } = bench;
  const repository = makeRepository(home);
  const registered = join(repository, '.git', 'worktrees');
  const start = name === 'bare' ? startBare : startBaton;
  await using side = await start(bench, repository, count, parallel);
  const [sizeBefore, cpuBefore] = [diskUse(join(repository, '.git')), side.cpu];
  using peak = new Peak(registered);
  const started = performance.now();
  const landed = await side.run();
  figures.add('git-jobs', name, performance.now() - started);
  figures.add('git-land', name, landed);
  figures.add('git-left', name, bytesBelow(side.worktrees) / 1e3);
  figures.add('git-growth', name, (diskUse(join(repository, '.git')) - sizeBefore) / 1e3);
  await untilEmpty(registered);
  figures.add('git-cleaned', name, performance.now() - started);
  figures.add('git-peak', name, peak.most);
  const cpuAfter = side.cpu;
  if (cpuAfter !== undefined && cpuBefore !== undefined) {
    figures.add('git-cpu', name, cpuAfter - cpuBefore);
  }
}

async function startBaton(
  { baton, home }: GitBench,
  repository: string,
  count: number,
  maxParallel: number,
): Promise<Side> {
  const session = new PlanSession(baton, home, repository);
  const plan = { maxParallel, git: {} };
  const jobs = Array.from({ length: count }, (_, index): Job => {
    const [executable, ...args] = writing(`job-${index}`);
    return { id: `job-${index}`, work: { type: 'process', executable, args } };
  });
  // Both programs are up and have their code compiled, as the script's is.
  await session.run(jobs.slice(0, 1), plan);
  await untilEmpty(join(repository, '.git', 'worktrees'));
  return {
    worktrees: join(session.folder, 'worktrees'),
    get cpu() {
      return session.cpu;
    },
    async run() {
      const id = await session.run(jobs, plan);
      return landingTime(session, id, count);
    },
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}

/** From when it was taken by the worker until its end was written down. */
async function landingTime(session: PlanSession, plan: string, position: number): Promise<number> {
  interface Listed {
    readonly list: { readonly jobs: readonly { startedAt: string; endedAt: string }[] };
  }
  const view = { plan, view: 'jobs', from: position };
  const [land] = (await session.call<Listed>('plan_get', view)).list.jobs;
  if (!land) throw new Error('nothing was landed');
  return Date.parse(land.endedAt) - Date.parse(land.startedAt);
}

async function startBare(
  { gitLoop, home }: GitBench,
  repository: string,
  count: number,
  parallel: number,
): Promise<Side> {
  const worktrees = `${repository}-worktrees`;
  mkdirSync(worktrees);
  const jobs = Array.from({ length: count }, (_, index) => {
    const name = `job-${index}`;
    return { branch: `tmp-${index}`, folder: join(worktrees, name), command: writing(name) };
  });
  const options = JSON.stringify({ repository, base: 'main', jobs, parallel });
  const script = new ServerProcess([gitLoop, options], repository, environment(home));
  await script.received(1);
  script.takeLines();
  return {
    worktrees,
    get cpu() {
      return script.familyCpu;
    },
    async run() {
      await script.send(Buffer.from('go\n'));
      await script.received(1);
      return Number(script.takeLines()[0]);
    },
    [Symbol.asyncDispose]: () => script[Symbol.asyncDispose](),
  };
}

function writing(name: string): [string, ...string[]] {
  return ['/bin/sh', '-c', `echo ${name} > ${name}.txt`];
}

function bytesBelow(folder: string): number {
  return namesIn(folder).reduce((sum, name) => sum + diskUse(join(folder, name)), 0);
}

/** Git has no such folder without worktrees. */
async function untilEmpty(registered: string): Promise<void> {
  while (namesIn(registered).length > 0) await pause(LOOK_MS);
}
