import { withoutFrontMatter } from '@baton/documents/front-matter';
import { Turns } from '@baton/folders';
import { readMarkdown, scanMarkdown } from './folders/markdown-files.ts';
import type { Source } from './folders/source.ts';
import { undeclared } from './prompts/substitute.ts';
import type { Piece, Problem } from './reading/piece.ts';
import { readPiece } from './reading/read-piece.ts';
import { readOldUri, readUri } from './uris.ts';

const LINK = /(?:baton:\/\/knowledge\/|orchestr8:\/\/)[^\s)\]"'`<>]{1,2000}/g;

/** Of a sort, in a file. */
const MOST_PROBLEMS = 20;

/** Everything that is wrong with the files of folders: `known`, and what only a closer look shows. */
export async function checkFolders(
  folders: readonly { readonly source: Source; readonly root: string | undefined }[],
  known: readonly Problem[],
  keys: ReadonlySet<string>,
  now: () => number,
): Promise<Problem[]> {
  const problems = [...known];
  const turns = new Turns(now);
  for (const { source, root } of folders) {
    if (root === undefined) continue;
    const { files } = await scanMarkdown(root, { now, turns });
    for (const file of files.keys()) {
      const read = readMarkdown(root, file, now);
      if (!('text' in read)) continue; // It is known already.
      const named = `${source.name}/${file}`;
      const { piece, problems: found } = await readPiece(file, read.text, source.kind);
      const all = [...found, ...inText(read.text, piece, keys)];
      problems.push(...all.map((problem) => ({ ...problem, file: named })));
      if (turns.isOver) await turns.next();
    }
  }
  return problems.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}

function inText(text: string, piece: Piece, keys: ReadonlySet<string>): Problem[] {
  const body = withoutFrontMatter(text);
  const start = text.length - body.length;
  const warn = (offset: number, message: string): Problem => {
    const lines = text.slice(0, start + offset).split('\n');
    const column = (lines.at(-1)?.length ?? 0) + 1;
    return { file: '', line: lines.length, column, severity: 'warning', message };
  };
  const links = [...body.matchAll(LINK)].map(({ 0: found, index }) => ({
    uri: found.replace(/[.,;:!?*_]+$/, ''),
    index,
  }));
  const dead = links.filter(({ uri }) => leadsNowhere(uri, keys));
  const names = piece.kind === 'workflow' ? undeclared(body, piece.arguments) : [];
  return [
    ...dead.slice(0, MOST_PROBLEMS).map(({ uri, index }) => warn(index, `${uri} leads nowhere.`)),
    ...names
      .slice(0, MOST_PROBLEMS)
      .map(({ name, index }) =>
        warn(index, `{{${name}}} stays as it is: no argument has this name.`),
      ),
  ];
}

function leadsNowhere(uri: string, keys: ReadonlySet<string>): boolean {
  if (/[{}[$*…]|\.\.\./.test(uri)) return false; // It is an example of how to write one.
  const wanted = readUri(uri) ?? readOldUri(uri);
  return !wanted || (wanted.type === 'piece' && !keys.has(`${wanted.kind}/${wanted.id}`));
}
