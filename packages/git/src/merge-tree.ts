import type { GitCall } from './git-call.ts';
import type { Repository } from './places.ts';
import { runGit } from './run-git.ts';

const MERGE_TREE = ['merge-tree', '--write-tree', '-z', '--allow-unrelated-histories'];

interface ConflictedPath {
  readonly path: string;
  readonly kind: string;
}

export interface MergedTree {
  /** With markers in it where there are conflicts. */
  readonly tree: string;
  readonly conflicts: readonly ConflictedPath[];
}

/** Merges without a checkout. */
export async function mergeTree(
  repo: Repository,
  ours: string,
  theirs: string,
  call: GitCall,
): Promise<MergedTree> {
  const args = [...MERGE_TREE, '--end-of-options', ours, theirs];
  const { code, stdout } = await runGit(repo, args, call, { accepts: [0, 1] });
  const fields = stdout.split('\0');
  return { tree: fields[0] ?? '', conflicts: code === 0 ? [] : conflictsIn(fields.slice(1)) };
}

export async function conflictedPaths(
  repo: Repository,
  one: string,
  other: string,
  call: GitCall,
): Promise<readonly string[]> {
  const options = ['--name-only', '--no-messages', '--end-of-options'];
  const args = [...MERGE_TREE, ...options, one, other];
  const { code, stdout } = await runGit(repo, args, call, { accepts: [0, 1] });
  if (code === 0) return [];
  const paths = stdout.split('\0').slice(1);
  return [...new Set(paths.filter((path) => path !== ''))];
}

/** First the stages, "mode hash stage\tpath" each; after an empty field the messages. */
function conflictsIn(fields: readonly string[]): readonly ConflictedPath[] {
  const end = fields.indexOf('');
  const stages = fields.slice(0, end);
  const paths = new Set(stages.map((entry) => entry.slice(entry.indexOf('\t') + 1)));
  const kinds = kindsIn(fields.slice(end + 1));
  return [...paths].map((path) => ({ path, kind: kinds.get(path) ?? 'content' }));
}

/** A message is the number of its paths, the paths, its type and its text. */
function kindsIn(fields: readonly string[]): ReadonlyMap<string, string> {
  const kinds = new Map<string, string>();
  for (let at = 0; at + 1 < fields.length; ) {
    const paths = fields.slice(at + 1, at + 1 + Number(fields[at]));
    const [type = '', text = ''] = fields.slice(at + 1 + paths.length);
    at += paths.length + 3;
    const kind = kindOf(type, text);
    if (kind === undefined) continue;
    // What comes first is the reason: a binary file is then said to have a content conflict too.
    for (const path of paths) if (!kinds.has(path)) kinds.set(path, kind);
  }
  return kinds;
}

function kindOf(type: string, text: string): string | undefined {
  const short = /^CONFLICT \((.+)\)$/.exec(type)?.[1];
  // Only the text tells whether both sides have added it.
  return short === 'contents' ? (/^CONFLICT \(([^)]+)\)/.exec(text)?.[1] ?? 'content') : short;
}
