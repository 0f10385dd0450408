import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findTypeScript } from '@baton/editor/work';
import { childrenOf } from './data/memory.ts';
import { fileOf, growProject } from './editor/grow.ts';
import { NAMES, type Name, type RowId, rows, SIZES, type Size, TARGETS } from './editor/rows.ts';
import { type Subject, startBare, startBaton } from './editor/subject.ts';
import { Figures } from './figures.ts';
import { inTurns } from './in-turns.ts';
import { canReadProc, readMemory } from './process-cost.ts';
import { buildBaton, root } from './programs.ts';
import { describeMachine, makeHome, progress, readLoad, runBench } from './run.ts';
import { renderFigures } from './table.ts';
import { isAnyMissed, renderTargets } from './targets.ts';

interface Rounds {
  readonly starts: number;
  /** Of symbols and of files, in each round. */
  readonly later: number;
}

const FULL: Rounds = { starts: 7, later: 12 };
const QUICK: Rounds = { starts: 1, later: 1 };

interface Bench {
  readonly figures: Figures<RowId, Name>;
  readonly baton: string;
  readonly executable: string;
  readonly home: string;
}

async function run(isQuick: boolean): Promise<void> {
  const home = makeHome();
  const loadBefore = readLoad();
  const rounds = isQuick ? QUICK : FULL;
  progress('build');
  const installed = findTypeScript(path.join(root, 'package.json'));
  if (!installed) throw new Error('TypeScript is not installed');
  const { version, executable } = installed;
  const bench: Bench = { figures: new Figures(), baton: await buildBaton(), executable, home };
  // A smoke run needs no large project to show that everything works.
  for (const size of isQuick ? SIZES.slice(0, 1) : SIZES) {
    progress(`${size} files, ${rounds.starts} rounds`);
    await inTurns(rounds.starts, NAMES, (name) => measure(bench, size, name, rounds.later));
  }
  const { figures } = bench;
  process.stdout.write(
    `${describeMachine()}, load ${loadBefore} before and ${readLoad()} after\n` +
      `TypeScript ${version}; medians. bare: its language server asked by hand, edits written with plain\n` +
      'writes. safe: the same, each file written beside its place, synced and renamed. baton: a call of\n' +
      'a tool over stdio, all of it, with undo and places left alone\n\n' +
      `${SIZES.map((size) => renderFigures(figures, rows(size), NAMES)).join('\n\n')}\n\n` +
      `targets\n${renderTargets(TARGETS, figures)}\n`,
  );
  // The few rounds of a smoke run say that everything works, not how fast.
  if (!isQuick && isAnyMissed(TARGETS, figures)) process.exitCode = 1;
}

async function measure(bench: Bench, size: Size, name: Name, later: number): Promise<void> {
  const { figures, home } = bench;
  const project = path.join(home, 'project');
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project);
  growProject(project, size);
  const stallFile = path.join(home, 'stall');
  await using subject = await start(bench, name, project, stallFile);
  const isProbed = name === 'baton' && canReadProc;
  // While a process starts it keeps nobody waiting: what counts is from here on.
  if (isProbed) await stallOf(subject.process.pid, stallFile);
  figures.add(`${size} first`, name, await subject.rename(symbolOf(10)));
  for (let round = 0; round < later; round++) {
    const index = 11 + round * 2;
    figures.add(`${size} later symbol`, name, await subject.rename(symbolOf(index)));
    const from = fileOf(index + 1);
    const to = from.replace(/f(\d+)\.ts$/, 'moved/g$1.ts');
    figures.add(`${size} later file`, name, await subject.rename({ move: { from, to } }));
  }
  if (!canReadProc) return;
  const { pid } = subject.process;
  const [server = 0] = childrenOf(pid);
  const ofServer = readMemory(server) ?? 0;
  figures.add(`${size} memory server`, name, ofServer);
  figures.add(`${size} memory all`, name, ofServer + (readMemory(pid) ?? 0));
  if (isProbed) figures.add(`${size} stall`, name, await stallOf(pid, stallFile));
}

function symbolOf(index: number) {
  const name = `value${index}`;
  return { symbol: { file: fileOf(index), name, newName: `renamed${index}` } };
}

async function start(
  { baton, executable, home }: Bench,
  name: Name,
  project: string,
  stallFile: string,
): Promise<Subject> {
  return name === 'baton'
    ? startBaton(baton, project, home, stallFile)
    : startBare(executable, name, project, home);
}

async function stallOf(pid: number, file: string): Promise<number> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (;;) {
    try {
      const [, told] = /^([\d.]+)\n$/.exec(readFileSync(file, 'utf8')) ?? [];
      if (told !== undefined) return Number(told);
    } catch {
      // It has not written yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

await runBench(run);
