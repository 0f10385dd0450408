import {
  type FileProblem,
  readFileWithin,
  type Scan,
  scanFolder,
  sentenceOf,
  type Turns,
} from '@baton/folders';
import type { Problem } from '../reading/piece.ts';

/** Larger files are no knowledge that an agent could be given. */
const MAX_BYTES = 1024 * 1024;
const MARKDOWN = /\.(?:md|markdown|mdx)$/i;
const LINK_HINT = 'Name its target in the setting `knowledge` instead.';

export interface MarkdownScan extends Scan {
  readonly problems: readonly Problem[];
}

/** All Markdown files of a folder. */
export async function scanMarkdown(
  root: string,
  looking: {
    readonly now: () => number;
    readonly turns: Turns;
    readonly entering?: (folder: string) => void;
  },
): Promise<MarkdownScan> {
  const isWanted = (name: string) => MARKDOWN.test(name);
  const scan = await scanFolder(root, {
    ...looking,
    isWanted,
    maxBytes: MAX_BYTES,
    linkHint: LINK_HINT,
  });
  const problems = scan.problems.map(({ file, message }) => errorIn(file, message));
  return { files: scan.files, folders: scan.folders, problems };
}

/** A Markdown file of a folder, as far as it is a text of a bearable size. */
export function readMarkdown(root: string, file: string, now: () => number) {
  return readFileWithin(root, file, { maxBytes: MAX_BYTES, now });
}

/** Why a file could not be read. */
export function unreadIn(file: string, found: FileProblem): Problem {
  const line = found.problem === 'binary' ? found.line : 1;
  return errorIn(file, sentenceOf(found, MAX_BYTES), line);
}

export function errorIn(file: string, message: string, line = 1): Problem {
  return { file, line, column: 1, severity: 'error', message };
}
