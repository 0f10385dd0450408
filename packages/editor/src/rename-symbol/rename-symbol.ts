import { linesOf, offsetAt } from '../edits/apply-edits.ts';
import { textOf } from '../edits/text-file.ts';
import { changedMeanwhile } from '../failures.ts';
import type { EditedFile, Language } from '../language/language.ts';
import { checkNotAssigned } from './assigned-exports.ts';
import { checkCollisions } from './collisions.ts';
import { type FoundSymbol, findSymbol, type SymbolRequest } from './find-symbol.ts';
import { checkNewName } from './identifiers.ts';
import { checkOverlooked } from './overlooked.ts';
import { renameThroughExports } from './through-exports.ts';

export interface SymbolRenaming {
  readonly symbol: FoundSymbol;
  readonly edited: readonly EditedFile[];
}

export interface Surroundings {
  readonly language: Language;
  /** Files of the workspace that hold a text somewhere. */
  filesWith(words: readonly string[]): Promise<readonly string[]>;
}

/** What has to be edited so that a symbol has another name everywhere. Nothing is written here. */
export async function renameSymbol(
  { language, filesWith }: Surroundings,
  request: SymbolRequest & { readonly newName: string },
): Promise<SymbolRenaming> {
  const { file, name, newName } = request;
  checkNewName(newName, name, file);
  const taken = filesWith([newName]);
  taken.catch(() => {}); // Told below; nobody waits for it yet.
  const { symbol, edited: first } = await findSymbol(language, request, newName);
  await checkNotAssigned(language, symbol, name);
  const edited = await renameThroughExports(language, first, name, newName);
  checkFit(edited, name);
  await checkOverlooked(language, edited, name, await filesWith([name]));
  // A name that stands nowhere can mean nothing else.
  if ((await taken).length > 0) await checkCollisions(language, edited, symbol, newName);
  return { symbol, edited };
}

/** What is replaced must be the old name, or the server knew another text. */
function checkFit(edited: readonly EditedFile[], name: string): void {
  for (const { file, contents, edits } of edited) {
    const lines = linesOf(textOf(file, contents).text);
    const isFitting = edits.every(
      ({ range: { start, end } }) =>
        lines.text.slice(offsetAt(lines, start), offsetAt(lines, end)) === name,
    );
    if (!isFitting) throw changedMeanwhile([file]);
  }
}
