import type { Clock } from '@baton/core';
import { Turns } from '@baton/folders';
import { textOf } from './edits/text-file.ts';
import type { EditedFile } from './language/language.ts';
import { findMentions } from './mentions/find-mentions.ts';
import type { WorkspaceTree } from './tree/workspace-tree.ts';

const MAX_PLACES = 20;
/** Of a name that stands everywhere, nobody looks at every place. */
const MOST_FILES = 300;

/** Where a name is mentioned and was not changed: in strings, in comments, in other languages. */
export interface LeftAlone {
  readonly count: number;
  readonly places: readonly {
    readonly file: string;
    readonly line: number;
    readonly where: string;
    readonly text: string;
  }[];
}

export async function leftAlone(
  { tree, clock }: { readonly tree: WorkspaceTree; readonly clock: Clock },
  words: readonly string[],
  mentioning: readonly string[],
  edited: readonly EditedFile[],
  maxPlaces = MAX_PLACES,
): Promise<LeftAlone> {
  const places: LeftAlone['places'][number][] = [];
  let count = 0;
  const turns = new Turns(() => clock.monotonic());
  for (const file of mentioning.slice(0, MOST_FILES)) {
    const { contents, edits } = edited.find((one) => one.file === file) ?? {
      contents: tree.contents(file),
      edits: [],
    };
    const text = readable(file, contents);
    const ranges = edits.map(({ range }) => range);
    const found = text === undefined ? [] : findMentions(text, file, words, ranges);
    count += found.length;
    for (const { line, where, text: line1 } of found)
      if (places.length < maxPlaces) places.push({ file, line, where, text: line1 });
    if (turns.isOver) await turns.next();
  }
  return { count, places };
}

function readable(file: string, contents: Buffer | undefined): string | undefined {
  try {
    return contents && textOf(file, contents).text;
  } catch {
    return undefined; // Not in UTF-8: nothing can be told about it.
  }
}
