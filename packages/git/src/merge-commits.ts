import { conflictHunks, type Hunk } from './conflict-hunks.ts';
import type { GitCall } from './git-call.ts';
import { commitTree } from './identity.ts';
import { conflictedPaths, type MergedTree, mergeTree } from './merge-tree.ts';
import { requireCommits } from './names.ts';
import type { Repository } from './places.ts';
import { runGit } from './run-git.ts';

export interface Conflict {
  readonly path: string;
  /** As git calls it: content, add/add, modify/delete, rename/rename, binary, submodule, … */
  readonly kind: string;
  /** The first few, of texts only. */
  readonly hunks: readonly Hunk[];
}

export type Merge =
  | { readonly kind: 'merged'; readonly commit: string }
  /** One side contains the other. */
  | { readonly kind: 'same'; readonly commit: string }
  | { readonly kind: 'conflict'; readonly conflicts: readonly Conflict[] };

export interface Merging {
  readonly ours: string;
  readonly theirs: string;
  readonly message: string;
  readonly ourLabel?: string;
  readonly theirLabel?: string;
  /** Known not to contain each other: git is not asked. */
  readonly areIndependent?: boolean;
}

/** Merges two commits without touching a checkout or a branch. */
export async function mergeCommits(
  repo: Repository,
  options: Merging,
  call: GitCall,
): Promise<Merge> {
  const { ours, theirs, message, areIndependent } = options;
  requireCommits(ours, theirs);
  if (ours === theirs) return { kind: 'same', commit: ours };
  // Both at once: nearly always the base is neither of them.
  const [merged, base] = await Promise.all([
    mergeTree(repo, ours, theirs, call),
    areIndependent ? undefined : mergeBase(repo, ours, theirs, call),
  ]);
  if (base === theirs) return { kind: 'same', commit: ours };
  if (base === ours) return { kind: 'same', commit: theirs };
  if (merged.conflicts.length > 0) {
    return { kind: 'conflict', conflicts: await explain(repo, merged, options, call) };
  }
  const commit = { tree: merged.tree, parents: [ours, theirs], message };
  return { kind: 'merged', commit: await commitTree(repo, commit, call) };
}

/** The paths in which two commits would be in conflict. */
export async function predictConflicts(
  repo: Repository,
  one: string,
  other: string,
  call: GitCall,
): Promise<readonly string[]> {
  requireCommits(one, other);
  return one === other ? [] : conflictedPaths(repo, one, other, call);
}

async function mergeBase(repo: Repository, ours: string, theirs: string, call: GitCall) {
  const args = ['merge-base', '--end-of-options', ours, theirs];
  // 1: they have nothing in common.
  const { stdout } = await runGit(repo, args, call, { accepts: [0, 1] });
  return stdout.trim();
}

async function explain(
  repo: Repository,
  { tree, conflicts }: MergedTree,
  { ours, theirs, ourLabel, theirLabel }: Merging,
  call: GitCall,
): Promise<readonly Conflict[]> {
  const paths = conflicts.map(({ path }) => path);
  const sides = {
    ours: { commit: ours, label: ourLabel },
    theirs: { commit: theirs, label: theirLabel },
  };
  const hunks = await conflictHunks(repo, { tree, paths }, sides, call);
  return conflicts.map(({ path, kind }) => ({ path, kind, hunks: hunks.get(path) ?? [] }));
}
