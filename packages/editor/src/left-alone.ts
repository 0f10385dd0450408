import type { Clock } from '@baton/core';
import { Turns } from '@baton/folders';
import { textOf } from './edits/text-file.ts';
import type { EditedFile } from './language/language.ts';
import { findMentions } from './mentions/find-mentions.ts';
import type { WorkspaceTree } from './tree/workspace-tree.ts';

const MAX_PLACES = 20;
/** Of a name that stands everywhere, nobody looks at every place. */
const MAX_FILES = 300;

interface LeftPlace {
  readonly file: string;
  readonly line: number;
  readonly where: string;
  readonly text: string;
}

/** Where a name is mentioned and was not changed: in strings, in comments, in other languages. */
export interface LeftAlone {
  readonly count: number;
  readonly places: readonly LeftPlace[];
  /** Further files that hold the name: how they mention it was not looked at. */
  readonly moreFiles?: number;
}

interface Limits {
  readonly maxPlaces?: number;
  readonly maxFiles?: number;
}

export async function leftAlone(
  { tree, clock }: { readonly tree: WorkspaceTree; readonly clock: Clock },
  words: readonly string[],
  mentioning: readonly string[],
  edited: readonly EditedFile[],
  { maxPlaces = MAX_PLACES, maxFiles = MAX_FILES }: Limits = {},
): Promise<LeftAlone> {
  const found: LeftPlace[][] = [];
  const turns = new Turns(() => clock.monotonic());
  for (const file of mentioning.slice(0, maxFiles)) {
    const { contents, edits } = edited.find((one) => one.file === file) ?? {
      contents: tree.contents(file),
      edits: [],
    };
    const text = readable(file, contents);
    const ranges = edits.map(({ range }) => range);
    const mentions = text === undefined ? [] : findMentions(text, file, words, ranges);
    found.push(
      mentions.map(({ line, where, text: shown }) => ({ file, line, where, text: shown })),
    );
    if (turns.isOver) await turns.next();
  }
  const moreFiles = mentioning.length - found.length;
  return {
    count: found.reduce((sum, { length }) => sum + length, 0),
    places: fairShare(found, maxPlaces),
    ...(moreFiles > 0 && { moreFiles }),
  };
}

/** The first of each file before the second of any: one that is full of them hides no other. */
function fairShare(found: readonly (readonly LeftPlace[])[], max: number): LeftPlace[] {
  const ranked = found.flatMap((places) => places.map((place, rank) => ({ place, rank })));
  const chosen = new Set([...ranked].sort((one, other) => one.rank - other.rank).slice(0, max));
  return ranked.filter((each) => chosen.has(each)).map(({ place }) => place);
}

function readable(file: string, contents: Buffer | undefined): string | undefined {
  try {
    return contents && textOf(file, contents).text;
  } catch {
    return undefined; // Not in UTF-8: nothing can be told about it.
  }
}
