import path from 'node:path';
import type { Random } from '@baton/testkit';
import { expect } from 'vitest';
import type { Bench } from './bench.ts';
import { countsOf } from './counts.ts';
import type { Edit } from './judge.ts';
import { fitsAround, isApart } from './texts.ts';

export interface Moved {
  /** Where files are now, by where they were. */
  readonly moves: ReadonlyMap<string, string>;
  /** The ids that take it back. */
  readonly undo: readonly string[];
}

/** Moves random files that have nothing to do with one another, and looks at every file. */
export async function moveFiles(bench: Bench, random: Random, count: number): Promise<Moved> {
  const all: Edit[] = [];
  const moves = new Map<string, string>();
  const undo: string[] = [];
  for (let index = 0; undo.length < count; index++) {
    const from = random.pick(bench.judge.files);
    const to = newPath(random, from, index);
    const edits = bench.judge.move(from, to);
    const files = new Set([from, ...edits.map(({ file }) => file)]);
    const isTouched = [...files].some((file) => moves.has(file));
    if (isTouched || all.some(({ file }) => file === from) || !isApart(all, edits)) continue;
    const answer = await bench.call('rename_file', { from, to });
    const title = `${from} → ${to}: ${JSON.stringify(answer)}`;
    const { told, expected } = countsOf(answer, edits, (file) => (file === from ? to : file));
    expect(told, title).toEqual(expected);
    expect(answer.undo, title).toBeDefined();
    undo.push(answer.undo ?? '');
    moves.set(from, to);
    all.push(...edits);
  }
  expectOnly(bench, all, moves);
  return { moves, undo };
}

function newPath(random: Random, file: string, index: number): string {
  const { dir, base } = path.parse(file);
  return random.pick([
    path.join(dir, `renamed-${index}-${base}`),
    path.join('src', `moved-${index}`, base),
    path.join(dir, 'deep', `er-${index}`, base),
  ]);
}

/** Around the paths that had to be changed, every byte is as it was. */
function expectOnly(bench: Bench, all: readonly Edit[], moves: ReadonlyMap<string, string>) {
  const before = new Map([...moves].map(([from, to]) => [to, from]));
  for (const [to, text] of bench.contents()) {
    const from = before.get(to) ?? to;
    const edits = all.filter(({ file }) => file === from);
    expect(fitsAround(bench.before(from), edits, text), `${from} → ${to}`).toBe(true);
  }
}
