import { type AskingRounds, questions } from './data/asking.ts';
import { type DataBench, makeWorkspaces, type Sizes } from './data/bench.ts';
import { describe, describedTokens } from './data/describing.ts';
import { FORMATS, type Format } from './data/grow.ts';
import {
  ASKED_NAMES,
  askedRows,
  COLD_NAMES,
  coldRows,
  describeRows,
  LIST_NAMES,
  LIST_ROWS,
  memoryRows,
  type Name,
  type RowId,
  TARGETS,
  WARM_NAMES,
  warmRows,
} from './data/rows.ts';
import { coldStart, toolsList, warmStart } from './data/starts.ts';
import { Figures } from './figures.ts';
import { inTurns } from './in-turns.ts';
import { buildBaton } from './programs.ts';
import { describeMachine, makeHome, progress, readLoad, runBench } from './run.ts';
import { renderFigures } from './table.ts';
import { isAnyMissed, renderTargets } from './targets.ts';

interface Rounds extends AskingRounds {
  readonly sizes: Sizes;
  readonly cold: number;
  readonly warm: number;
  readonly lists: number;
}

const FULL: Rounds = {
  sizes: { sales: 1_000_000, customers: 50_000, tables: 200 },
  cold: 3,
  warm: 7,
  warmUp: 2,
  questions: 15,
  slow: 3,
  lists: 15,
};
const QUICK: Rounds = {
  sizes: { sales: 20_000, customers: 1_000, tables: 8 },
  cold: 1,
  warm: 1,
  warmUp: 1,
  questions: 2,
  slow: 1,
  lists: 2,
};

async function run(isQuick: boolean): Promise<void> {
  const home = makeHome();
  const loadBefore = readLoad();
  const rounds = isQuick ? QUICK : FULL;
  const { sales, customers, tables } = rounds.sizes;
  progress('build');
  const bench: DataBench = { figures: new Figures<RowId, Name>(), baton: await buildBaton(), home };
  const { figures } = bench;
  progress(`${sales} records as ${FORMATS.join(' and ')}, ${tables} tables`);
  makeWorkspaces(bench, rounds.sizes);
  progress(`tools/list, ${rounds.lists} rounds`);
  await inTurns(rounds.lists, LIST_NAMES, (name) => toolsList(bench, name));
  await measureDescribing(bench, rounds);
  for (const format of FORMATS) await measureFormat(bench, format, rounds);
  const rendered = [
    ...FORMATS.map((format) => renderFigures(figures, coldRows(format), COLD_NAMES)),
    ...FORMATS.map((format) => renderFigures(figures, warmRows(format), WARM_NAMES)),
    ...FORMATS.map((format) => renderFigures(figures, askedRows(format), ASKED_NAMES)),
    ...FORMATS.map((format) => renderFigures(figures, memoryRows(format), COLD_NAMES)),
    renderFigures(figures, describeRows(tables), ['baton']),
    renderFigures(figures, LIST_ROWS, LIST_NAMES),
    `targets\n${renderTargets(TARGETS, figures)}`,
  ];
  process.stdout.write(
    `${describeMachine()}, load ${loadBefore} before and ${readLoad()} after\n` +
      `${sales} sales of 10 columns and ${customers} customers; medians, after a warm-up. baton: a call of a\n` +
      'tool over stdio, all of it. table: DuckDB by hand in one process, records in memory, the statement\n' +
      'alone. file: the same on the bare file. js: loops over objects in memory. All give the same\n' +
      `answers. empty: the same server without data\n\n${rendered.join('\n\n')}\n`,
  );
  // The few rounds of a smoke run say that everything works, not how fast.
  if (!isQuick && isAnyMissed(TARGETS, figures)) process.exitCode = 1;
}

async function measureDescribing(bench: DataBench, rounds: Rounds): Promise<void> {
  const { tables } = rounds.sizes;
  progress(`${tables} tables, first of all, ${rounds.cold} rounds`);
  for (let round = 0; round < rounds.cold; round += 1) {
    await describe(bench, `many-${round}`, 'cold', tables);
  }
  progress(`${tables} tables from the cache, ${rounds.warm} rounds`);
  for (let round = 0; round < rounds.warm; round += 1) {
    await describe(bench, 'many-0', 'warm', tables);
  }
  await describedTokens(bench, 'many-0', 'billing_accounts');
}

async function measureFormat(bench: DataBench, format: Format, rounds: Rounds): Promise<void> {
  progress(`${format}, nothing cached, ${rounds.cold} rounds`);
  let started = 0;
  await inTurns(rounds.cold, COLD_NAMES, (name) => {
    if (name === 'baton') started += 1;
    return coldStart(bench, format, name, `${format}-${started}`, rounds.sizes.sales);
  });
  const state = `${format}-1`;
  progress(`${format}, cached, ${rounds.warm} rounds`);
  for (const question of ['count', 'group'] as const) {
    await inTurns(rounds.warm, WARM_NAMES, (name) =>
      warmStart(bench, format, name, question, state),
    );
  }
  progress(`${format}, questions, ${rounds.questions} rounds`);
  await questions(bench, format, state, rounds);
}

await runBench(run);
