import path from 'node:path';
import { Figures } from './figures.ts';
import { inTurns } from './in-turns.ts';
import { ENGINES } from './knowledge/engines.ts';
import { grow } from './knowledge/grow.ts';
import { COLLECTIONS, folderOf, type Material, readMaterial } from './knowledge/material.ts';
import { answers, rankings } from './knowledge/quality.ts';
import {
  type Name,
  qualityRows,
  type RowId,
  SIZES,
  type Size,
  START_ROWS,
  searchRows,
  TARGETS,
} from './knowledge/rows.ts';
import { searches } from './knowledge/searches.ts';
import * as starting from './knowledge/starting.ts';
import { buildBaton } from './programs.ts';
import { describeMachine, environment, makeHome, progress, readLoad, runBench } from './run.ts';
import { renderFigures } from './table.ts';
import { isAnyMissed, renderTargets } from './targets.ts';
import { ToolClient } from './tool-client.ts';

interface Rounds {
  readonly sizes: Readonly<Record<Size, number>>;
  readonly searches: number;
  /** Only each of so many requests is timed. */
  readonly everyRequest: number;
  readonly starts: number;
  readonly coldStarts: number;
  readonly edits: number;
}

const FULL: Rounds = {
  sizes: { small: 1_000, large: 10_000 },
  searches: 3,
  everyRequest: 1,
  starts: 25,
  coldStarts: 2,
  edits: 10,
};
const QUICK: Rounds = {
  sizes: { small: 150, large: 300 },
  searches: 1,
  everyRequest: 8,
  starts: 2,
  coldStarts: 1,
  edits: 2,
};

async function run(isQuick: boolean): Promise<void> {
  const home = makeHome();
  const loadBefore = readLoad();
  const rounds = isQuick ? QUICK : FULL;
  progress('build');
  // Both now: somebody may change the code while this runs.
  const baton = await buildBaton();
  const worker = await starting.buildStartWorker();
  const figures = new Figures<RowId, Name>();
  const counts = await measureQuality(figures, baton, home);
  const material = await timedMaterial(rounds);
  for (const size of SIZES) {
    progress(`searches, ${rounds.sizes[size]} documents, ${rounds.searches} rounds`);
    const documents = await grow(material.documents, rounds.sizes[size]);
    await searches(figures, size, documents, material.requests, rounds.searches);
  }
  await measureStarts({ figures, baton, worker, home }, material, rounds);
  const tables = [
    ...COLLECTIONS.map((one) => renderFigures(figures, qualityRows(one), ENGINES)),
    ...SIZES.map((size) => renderFigures(figures, searchRows(size, rounds.sizes[size]), ENGINES)),
    renderFigures(figures, START_ROWS, starting.WORKSPACES),
    `targets\n${renderTargets(TARGETS, figures)}`,
  ];
  process.stdout.write(
    `${describeMachine()}, load ${loadBefore} before and ${readLoad()} after\n` +
      `${counts}\n` +
      'Medians, after a warm-up. Weights and options of all engines were found with harbor; lantern\n' +
      'was not looked at. A peer says that nothing fits by an empty list. empty: the same server in\n' +
      `a workspace without knowledge, small: with ${rounds.sizes.small} documents\n\n${tables.join('\n\n')}\n`,
  );
  // The few rounds of a smoke run say that everything works, not how fast.
  if (!isQuick && isAnyMissed(TARGETS, figures)) process.exitCode = 1;
}

/** What searches are timed with; they are not about quality. */
async function timedMaterial({ everyRequest }: Rounds): Promise<Material> {
  const { documents, requests } = await readMaterial('harbor');
  return { documents, requests: requests.filter((_, index) => index % everyRequest === 0) };
}

/** Returns how much was asked of what. */
async function measureQuality(
  figures: Figures<RowId, Name>,
  baton: string,
  home: string,
): Promise<string> {
  const counts: string[] = [];
  for (const collection of COLLECTIONS) {
    progress(`quality, ${collection}`);
    const material = await readMaterial(collection);
    rankings(figures, collection, material);
    const named = { BATON_KNOWLEDGE: folderOf(collection) };
    const workspace = starting.makeWorkspace(path.join(home, 'empty'), []);
    await using client = new ToolClient(baton, workspace, { ...environment(home), ...named });
    await answers(figures, collection, material, client);
    const { documents, requests } = material;
    counts.push(`${collection}: ${requests.length} requests to ${documents.length} pieces`);
  }
  return counts.join('; ');
}

async function measureStarts(
  given: Omit<starting.StartBench, 'workspaces'>,
  { documents, requests }: Material,
  rounds: Rounds,
): Promise<void> {
  const count = rounds.sizes.large;
  progress(`a workspace with ${count} documents`);
  const { baton, home } = given;
  const workspaces = {
    empty: starting.makeWorkspace(path.join(home, 'empty'), []),
    small: starting.makeWorkspace(
      path.join(home, 'small'),
      await grow(documents, rounds.sizes.small),
    ),
    baton: starting.makeWorkspace(path.join(home, 'large'), await grow(documents, count)),
  };
  const bench: starting.StartBench = { ...given, workspaces };
  progress(`tools/list, ${rounds.starts} rounds`);
  await inTurns(rounds.starts, starting.WORKSPACES, (name) => starting.toolsList(bench, name));
  progress(`first searches without an index, ${rounds.coldStarts} rounds`);
  for (let round = 0; round < rounds.coldStarts; round += 1) {
    await starting.firstSearch(bench, 'baton', 'cold', path.join(home, `cold-${round}`));
  }
  progress(`first searches with an index, ${rounds.starts} rounds`);
  const warm = path.join(home, 'cold-0');
  await inTurns(rounds.starts, starting.WORKSPACES, (name) =>
    starting.firstSearch(bench, name, 'warm', warm),
  );
  progress(`opening the library, ${rounds.starts} rounds`);
  const filled = ['small', 'baton'] as const;
  for (const name of filled) await starting.openLibrary(bench, name, false);
  await inTurns(rounds.starts, filled, (name) => starting.openLibrary(bench, name, true));
  progress(`searches over stdio, ${rounds.edits} edits`);
  await using client = new ToolClient(baton, workspaces.baton, environment(warm));
  await starting.calls(bench, client, requests);
  await starting.edits(bench, client, documents.slice(0, rounds.edits));
}

await runBench(run);
