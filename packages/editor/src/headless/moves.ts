import path from 'node:path';
import { textIn } from '../edits/apply-edits.ts';
import type { Move } from '../edits/changing.ts';
import { textOf } from '../edits/text-file.ts';
import type { EditedFile } from '../language/language.ts';
import type { UriEdits } from './workbench.ts';

/** The files among these that move. */
export function movedFiles(moves: readonly Move[], files: Iterable<string>): string[] {
  return [...files].filter((file) =>
    moves.some(({ from }) => file === from || file.startsWith(`${from}/`)),
  );
}

/** What somebody must mention who imports what is moved. */
export function wordsOfMoves(moves: readonly Move[]): string[] {
  return moves.flatMap(({ from }) => {
    const stem = path.posix.basename(from).replace(/(\.d)?\.[^.]+$/, '');
    if (stem !== 'index') return [stem];
    const folder = path.posix.basename(path.posix.dirname(from));
    return folder === '.' ? [stem] : [stem, folder];
  });
}

interface MovedUri {
  readonly oldUri: string;
  readonly newUri: string;
}

/**
 * Nothing has been moved yet: some servers name edits of moved files by where these will be. What
 * moves together with a configuration file stays where it was from there.
 */
export function moveBack(edits: UriEdits, files: readonly MovedUri[]): UriEdits {
  const back = [...edits].map(([uri, changes]) => [uriBefore(uri, files), changes] as const);
  return new Map(back.filter(([uri]) => !isConfigOfFolder(uri, files)));
}

/** Paths in a tsconfig.json that began with a dot must do so, or TypeScript refuses them. */
export function keepRelative(edited: EditedFile): EditedFile {
  const { file, contents, edits } = edited;
  if (!file.endsWith('.json')) return edited;
  const { text } = textOf(file, contents);
  const kept = edits.map(({ range, newText }) => {
    const isLost = /^\.\.?\//.test(textIn(text, range)) && /^[^./]/.test(newText);
    return { range, newText: isLost ? `./${newText}` : newText };
  });
  return { ...edited, edits: kept };
}

function uriBefore(uri: string, files: readonly MovedUri[]): string {
  const moved = files.find(({ newUri }) => uri === newUri || uri.startsWith(`${newUri}/`));
  return moved ? moved.oldUri + uri.slice(moved.newUri.length) : uri;
}

function isConfigOfFolder(uri: string, files: readonly MovedUri[]): boolean {
  return uri.endsWith('.json') && files.some(({ oldUri }) => uri.startsWith(`${oldUri}/`));
}
