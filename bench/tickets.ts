import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Figures, percentile } from './figures.ts';
import { inTurns } from './in-turns.ts';
import { buildBaton, buildStoreWorker, root } from './programs.ts';
import { describeMachine, environment, makeHome, progress, readLoad, runBench } from './run.ts';
import { ServerProcess } from './server-process.ts';
import { renderFigures } from './table.ts';
import { isAnyMissed, renderTargets } from './targets.ts';
import { startServer, timeCall } from './tickets/calls.ts';
import { type ClaimBench, claims } from './tickets/claims.ts';
import { durableWrites } from './tickets/disk.ts';
import { type Engine, fillStore } from './tickets/fill.ts';
import { readyTickets, usedTickets } from './tickets/mix.ts';
import {
  CALL_NAMES,
  CALL_ROWS,
  CLAIM_NAMES,
  CLAIM_ROWS,
  CLIENTS,
  type Name,
  type RowId,
  SIZE_NAMES,
  type SizeName,
  TARGETS,
} from './tickets/rows.ts';

interface Rounds {
  readonly claims: number;
  readonly tickets: number;
  readonly warmUp: number;
  readonly sizes: Readonly<Record<SizeName, number>>;
  readonly calls: { readonly warmUp: number; readonly samples: number };
}

const FULL: Rounds = {
  claims: 3,
  tickets: 3_000,
  warmUp: 400,
  sizes: { small: 1_000, baton: 100_000 },
  calls: { warmUp: 20, samples: 200 },
};
const QUICK: Rounds = {
  claims: 1,
  tickets: 200,
  warmUp: 10,
  sizes: { small: 100, baton: 2_000 },
  calls: { warmUp: 2, samples: 10 },
};

interface Bench {
  readonly home: string;
  readonly workspace: string;
  readonly baton: string;
  readonly figures: Figures<RowId, Name>;
}

async function run(isQuick: boolean): Promise<void> {
  const home = makeHome();
  const workspace = join(home, 'workspace');
  mkdirSync(workspace);
  const loadBefore = readLoad();
  const rounds = isQuick ? QUICK : FULL;
  progress('build');
  const [baton, bare] = await Promise.all([buildBaton(), buildStoreWorker()]);
  const figures = new Figures<RowId, Name>();
  const bench = { home, workspace, baton, figures };
  const { library, engine } = await measureClaims(bench, bare, rounds);
  const writes = await measureCalls(bench, library, rounds);
  const { small, baton: large } = rounds.sizes;
  process.stdout.write(
    `${describeMachine()}, load ${loadBefore} before and ${readLoad()} after\n` +
      `${library}, ${engine}; medians, after a warm-up. bare: processes that write the same rows in the same\n` +
      'two durable transactions, by hand on the bare driver, with a busy_timeout of 30 s. small:\n' +
      `the same call with ${small} instead of ${large} tickets. A durable write by hand took\n` +
      `${percentile(writes, 0.5)?.toFixed(2)} ms meanwhile (p95: ${percentile(writes, 0.95)?.toFixed(2)}), and every \`next\` makes one\n\n` +
      `${renderFigures(figures, CLAIM_ROWS, CLAIM_NAMES)}\n\n` +
      `${renderFigures(figures, CALL_ROWS, SIZE_NAMES)}\n\n` +
      `targets\n${renderTargets(TARGETS, figures)}\n`,
  );
  // The few rounds of a smoke run say that everything works, not how fast.
  if (!isQuick && isAnyMissed(TARGETS, figures)) process.exitCode = 1;
}

async function measureClaims(bench: Bench, bare: string, rounds: Rounds): Promise<Engine> {
  const { tickets, warmUp } = rounds;
  const template = join(bench.home, 'template.db');
  const { library, engine } = await fillStore(template, readyTickets(bench.workspace, tickets));
  const env = environment(bench.home);
  const startBare: ClaimBench['startBare'] = (role, options) =>
    new ServerProcess([bare, role, JSON.stringify(options)], root, env);
  const claimBench = { ...bench, startBare, template, library, tickets, warmUp };
  for (const clients of CLIENTS) {
    progress(`claim and report, ${clients} at once, ${rounds.claims} rounds`);
    await inTurns(rounds.claims, CLAIM_NAMES, (name) => claims(claimBench, name, clients));
  }
  return { library, engine };
}

/** Returns how long the disk took for durable writes at the same time. */
async function measureCalls(bench: Bench, library: string, rounds: Rounds): Promise<number[]> {
  const { home, workspace, baton, figures } = bench;
  for (const size of SIZE_NAMES) {
    progress(`a store with ${rounds.sizes[size]} tickets`);
    const file = join(home, size, 'baton.db');
    await fillStore(file, usedTickets(workspace, rounds.sizes[size]));
  }
  await using small = startServer(baton, home, workspace, 'small');
  await using large = startServer(baton, home, workspace, 'baton');
  const writes: number[] = [];
  for (const call of CALL_NAMES) {
    progress(`${call}, ${rounds.calls.samples} calls`);
    await inTurns(1, SIZE_NAMES, (size) =>
      timeCall(figures, size === 'small' ? small : large, size, call, rounds.calls),
    );
    writes.push(...(await durableWrites(library, join(home, 'template.db'))));
  }
  return writes;
}

await runBench(run);
