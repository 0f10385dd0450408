import type { Random } from '@baton/testkit';
import { expect } from 'vitest';
import type { Answer, Bench } from './bench.ts';
import { countsOf } from './counts.ts';
import type { DeclaredName, Edit } from './judge.ts';
import { isApart, withEdits } from './texts.ts';

export interface Wanted {
  readonly count: number;
  isWanted(symbol: DeclaredName): boolean;
}

/** Renames random symbols, and looks at every byte. Returns the ids that take it back. */
export async function renameSymbols(
  bench: Bench,
  random: Random,
  { count, isWanted }: Wanted,
): Promise<readonly string[]> {
  const all: Edit[] = [];
  const undo: string[] = [];
  for (let index = 0; undo.length < count; index++) {
    const names = bench.judge
      .declaredNames(random.pick(bench.judge.files))
      // A parameter may be called so, but nothing else can be.
      .filter((symbol) => symbol.name !== 'this' && isWanted(symbol));
    if (names.length === 0) continue;
    const symbol = random.pick(names);
    const newName = `renamed${index}`;
    const edits = bench.judge.rename(symbol, newName);
    if (edits && !isApart(all, edits)) continue;
    const { file, name, line } = symbol;
    const answer = await bench.call('rename_symbol', { file, name, newName, line });
    if (isPassedOver(answer, edits) || isEverywhere(answer, name)) continue;
    const title = `${file}:${line} ${name}: ${JSON.stringify(answer)}`;
    const { told, expected } = countsOf(answer, edits ?? []);
    expect(told, title).toEqual(expected);
    expect(answer.undo, title).toBeDefined();
    undo.push(answer.undo ?? '');
    all.push(...(edits ?? []));
  }
  for (const [file, text] of bench.contents()) {
    const edits = all.filter((one) => one.file === file);
    expect(text, file).toBe(withEdits(bench.before(file), edits));
  }
  return undo;
}

/** What both refuse, and what cannot be told by its line alone. */
function isPassedOver({ code }: Answer, edits: readonly Edit[] | undefined): boolean {
  return code === 'symbol_ambiguous' || (code !== undefined && edits === undefined);
}

/** To TypeScript 7, what every object has is declared by its library, too, and is refused. */
function isEverywhere({ code }: Answer, name: string): boolean {
  return code === 'outside_workspace' && name in Object.prototype;
}
