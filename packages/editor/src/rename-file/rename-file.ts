import { BatonError, type Clock } from '@baton/core';
import type { Move } from '../edits/changing.ts';
import { pathAfter } from '../edits/path-after.ts';
import type { Range } from '../edits/text-edit.ts';
import { textOf } from '../edits/text-file.ts';
import { wordsOfMoves } from '../headless/moves.ts';
import type { EditedFile, Language } from '../language/language.ts';
import { isSource } from '../language/source-kinds.ts';
import { isTypeScriptFile } from '../lsp/typescript-server.ts';
import { wordsForPath } from '../mentions/words-for-path.ts';
import type { WorkspacePaths } from '../paths/workspace-paths.ts';
import type { WorkspaceTree } from '../tree/workspace-tree.ts';
import { configuredPaths } from './configured-paths.ts';
import { keepSpecifiers } from './kept-specifiers.ts';
import { movedFiles } from './moved-files.ts';
import { relativeImportEdits } from './relative-imports.ts';

export interface FileRenaming {
  readonly move: Move;
  readonly isFolder: boolean;
  readonly edited: readonly EditedFile[];
  /** Files that move and that nobody could say about what refers to them. */
  readonly unknown: readonly string[];
  /** Why, as a sentence. */
  readonly why?: string | undefined;
}

export interface Surroundings {
  readonly language: Language;
  readonly paths: WorkspacePaths;
  readonly tree: WorkspaceTree;
  readonly clock: Clock;
}

/** What has to be edited so that a file or folder can have another path. Nothing is written here. */
export async function renameFile(
  { language, paths, tree, clock }: Surroundings,
  request: { readonly from: string; readonly to: string },
): Promise<FileRenaming> {
  const existing = paths.existing(request.from);
  const { file: from, isFolder } = existing;
  const to = paths.free(request.to, existing);
  if (to === from) throw refused(`${from} has this path already`);
  if (to.startsWith(`${from}/`)) throw refused(`${from} cannot be moved into itself`);
  const move = { from, to };
  const moved = isFolder ? await movedFiles(tree.root, move, clock) : [from];
  // All at once; whoever needs some of them is told.
  tree.filesWith([...wordsOfMoves([move]), ...wordsForPath(from)]).catch(() => {});
  const manifests = await configuredPaths(language, [...(await tree.look()).keys()], move);
  const following = await language.renameFiles([move]);
  const imports = keepSpecifiers(following.edited, manifests);
  const known = merged([...imports, ...manifests]);
  const edited = await withLeftImports(known, move, { language, tree });
  // With another kind of ending it would be imported otherwise, or not at all.
  const isKnown = (file: string) =>
    following.isKnown(file) && following.isKnown(pathAfter([move], file));
  const unknown = moved.filter((file) => isSource(file) && !isKnown(file));
  return { move, isFolder, edited, unknown, why: following.why };
}

/**
 * Adds imports that language servers leave alone: of styles, pictures and the like, and of modules
 * that somebody adds to with `declare module`.
 */
async function withLeftImports(
  edited: readonly EditedFile[],
  move: Move,
  { language, tree }: Pick<Surroundings, 'language' | 'tree'>,
): Promise<readonly EditedFile[]> {
  const moves = [move];
  const files = await tree.look();
  const moved = [...files.keys()].filter((file) => pathAfter(moves, file) !== file);
  const mentioning = await tree.filesWith(wordsOfMoves(moves));
  const all = new Map(edited.map((one) => [one.file, one]));
  for (const file of new Set([...moved, ...mentioning].filter(isTypeScriptFile))) {
    const contents = all.get(file)?.contents ?? tree.contents(file) ?? (await language.read(file));
    const text = readable(file, contents);
    if (text === undefined) continue;
    const isFile = (one: string) => files.has(one);
    const known = all.get(file)?.edits ?? [];
    const more = relativeImportEdits(file, text, { moves, isFile }).filter(
      ({ range }) => !known.some((one) => isTouching(one.range, range)),
    );
    if (more.length > 0) all.set(file, { file, contents, edits: [...known, ...more] });
  }
  return [...all.values()];
}

function isTouching(a: Range, b: Range): boolean {
  return isBefore(a.start, b.end) && isBefore(b.start, a.end);
}

function isBefore(a: Range['start'], b: Range['start']): boolean {
  return a.line < b.line || (a.line === b.line && a.character <= b.character);
}

function readable(file: string, contents: Buffer): string | undefined {
  try {
    return textOf(file, contents).text;
  } catch {
    return undefined; // Nobody can edit it, so that it is left alone.
  }
}

/** A server may have edited the same file. */
function merged(edited: readonly EditedFile[]): EditedFile[] {
  const files = new Map<string, EditedFile>();
  for (const one of edited) {
    const known = files.get(one.file);
    const edits = [...(known?.edits ?? []), ...one.edits];
    if (edits.length > 0) files.set(one.file, { ...one, edits });
  }
  return [...files.values()];
}

function refused(why: string): BatonError {
  return new BatonError('bad_name', `${why}. Nothing was changed.`, 'Name another path.');
}
