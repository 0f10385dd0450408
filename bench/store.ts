import { join } from 'node:path';
import { Figures } from './figures.ts';
import { inTurns } from './in-turns.ts';
import { buildStoreWorker, root } from './programs.ts';
import { describeMachine, environment, makeHome, progress, readLoad, runBench } from './run.ts';
import { ServerProcess } from './server-process.ts';
import { NAMES, type Name } from './store/protocol.ts';
import { ROWS, type RowId, TARGETS, WRITERS } from './store/rows.ts';
import * as scenarios from './store/scenarios.ts';
import { runWorkers, type StartWorker } from './store/workers.ts';
import { renderFigures } from './table.ts';
import { isAnyMissed, renderTargets } from './targets.ts';

interface Rounds {
  readonly load: number;
  readonly opening: number;
  readonly growth: number;
  readonly sizes: scenarios.Sizes;
}

const FULL: Rounds = {
  load: 5,
  opening: 15,
  growth: 1,
  sizes: {
    jobs: 6_000,
    warmUpJobs: 1_000,
    warmUpInserts: 5_000,
    insertMs: 1_500,
    notices: 50,
    events: 100_000,
  },
};
const QUICK: Rounds = {
  load: 1,
  opening: 2,
  growth: 1,
  sizes: {
    jobs: 300,
    warmUpJobs: 20,
    warmUpInserts: 50,
    insertMs: 200,
    notices: 4,
    events: 25_000,
  },
};

async function run(isQuick: boolean): Promise<void> {
  const home = makeHome();
  const loadBefore = readLoad();
  const rounds = isQuick ? QUICK : FULL;
  progress('build');
  const worker = await buildStoreWorker();
  const env = environment(home);
  const start: StartWorker = (role, options) =>
    new ServerProcess([worker, role, JSON.stringify(options)], root, env);
  const template = join(home, 'template.db');
  const { jobs } = rounds.sizes;
  const [prepared] = await runWorkers(start, [
    {
      role: 'prepare',
      options: { name: 'baton', file: template, library: '', count: jobs, warmUp: 0, ms: 0 },
    },
  ]);
  const { library = '', engine = '' } = prepared ?? {};
  const figures = new Figures<RowId, Name>();
  await measureAll(
    { figures, start, folder: home, sizes: rounds.sizes, template, library },
    rounds,
  );
  process.stdout.write(
    `${describeMachine()}, load ${loadBefore} before and ${readLoad()} after\n` +
      `${library}, ${engine}; medians, after a warm-up. bare: the same statements on the\n` +
      'same library by hand, with a busy_timeout of 30 s; for notices a poll every 250 ms, for\n' +
      'growth a store without upkeep\n\n' +
      `${renderFigures(figures, ROWS, NAMES)}\n\n` +
      `targets\n${renderTargets(TARGETS, figures)}\n`,
  );
  // The few rounds of a smoke run say that everything works, not how fast.
  if (!isQuick && isAnyMissed(TARGETS, figures)) process.exitCode = 1;
}

async function measureAll(bench: scenarios.Bench, rounds: Rounds): Promise<void> {
  for (const writers of WRITERS) {
    progress(`durable writes, ${writers} at once, ${rounds.load} rounds`);
    await inTurns(rounds.load, NAMES, (name) => scenarios.inserts(bench, name, writers));
    progress(`claim and complete, ${writers} at once, ${rounds.load} rounds`);
    await inTurns(rounds.load, NAMES, (name) => scenarios.claims(bench, name, writers));
  }
  progress(`${rounds.sizes.notices} notices`);
  await scenarios.notices(bench);
  progress(`opening, ${rounds.opening} rounds`);
  await inTurns(rounds.opening, NAMES, (name) => scenarios.opening(bench, name));
  progress(`${rounds.sizes.events} events`);
  await inTurns(rounds.growth, NAMES, (name) => scenarios.growth(bench, name));
}

await runBench(run);
