import { BatonError } from '@baton/core';
import type { GitCall } from './git-call.ts';
import { OutputTooLarge } from './git-process.ts';
import { requireCommits } from './names.ts';
import type { Repository, Worktree } from './places.ts';
import { runGit } from './run-git.ts';

const SUBMODULES = '--ignore-submodules=dirty';
const MAX_PATCH = 8 * 1024 * 1024;
// The plumbing heeds no setting of how a person likes to see differences.
const DIFF_TREE = ['diff-tree', '-r', '--no-color', '--no-ext-diff', '--no-textconv'];

export interface FileStat {
  readonly path: string;
  /** `undefined` for what is no text. */
  readonly insertions: number | undefined;
  readonly deletions: number | undefined;
}

export interface DiffStat {
  readonly files: number;
  readonly insertions: number;
  readonly deletions: number;
  readonly paths: readonly FileStat[];
}

export async function diffStat(
  repo: Repository,
  from: string,
  to: string,
  call: GitCall,
): Promise<DiffStat> {
  const { stdout } = await diffTree(repo, ['-z', '--numstat', '-M'], [from, to], call);
  const paths = statsIn(stdout);
  return {
    files: paths.length,
    insertions: paths.reduce((sum, each) => sum + (each.insertions ?? 0), 0),
    deletions: paths.reduce((sum, each) => sum + (each.deletions ?? 0), 0),
    paths,
  };
}

/** An entry is "1\t2\tpath", or "1\t2\t" with the old and the new path as fields of their own. */
function statsIn(output: string): readonly FileStat[] {
  const fields = output.split('\0');
  const found: FileStat[] = [];
  for (let at = 0; at + 1 < fields.length; at++) {
    const [insertions = '', deletions = '', ...name] = (fields[at] ?? '').split('\t');
    const isRenamed = name.join('\t') === '';
    if (isRenamed) at += 2;
    found.push({
      path: isRenamed ? (fields[at] ?? '') : name.join('\t'),
      insertions: count(insertions),
      deletions: count(deletions),
    });
  }
  return found;
}

function count(text: string): number | undefined {
  return text === '-' ? undefined : Number(text);
}

export async function diffPatch(
  repo: Repository,
  from: string,
  to: string,
  { paths = [] }: { readonly paths?: readonly string[] },
  call: GitCall,
): Promise<string> {
  try {
    const { stdout } = await diffTree(repo, ['-p', '-M'], [from, to], call, paths);
    return stdout;
  } catch (error) {
    if (!(error instanceof BatonError && error.cause instanceof OutputTooLarge)) throw error;
    throw new BatonError(
      'diff_too_large',
      `The difference is larger than ${MAX_PATCH / 1024 / 1024} MiB.`,
      'Ask for fewer paths at a time.',
      { cause: error },
    );
  }
}

export async function changedPaths(
  repo: Repository,
  from: string,
  to: string,
  call: GitCall,
): Promise<readonly string[]> {
  const { stdout } = await diffTree(repo, ['-z', '--name-only', '--no-renames'], [from, to], call);
  return stdout.split('\0').slice(0, -1);
}

function diffTree(
  repo: Repository,
  options: readonly string[],
  commits: readonly [string, string],
  call: GitCall,
  paths: readonly string[] = [],
) {
  requireCommits(...commits);
  const args = [...DIFF_TREE, ...options, '--end-of-options', ...commits, '--', ...paths];
  const limit = options.includes('-p') ? { maxBytes: MAX_PATCH } : {};
  return runGit(repo, ['--literal-pathspecs', ...args], call, limit);
}

/** What differs from a commit now, new files included. The index is neither used nor changed. */
export async function worktreeChanges(
  worktree: Worktree,
  start: string,
  call: GitCall,
): Promise<readonly string[]> {
  requireCommits(start);
  // Git would run in a submodule, by that one's settings, to see whether files in it have changed.
  const options = [
    '-z',
    '--name-only',
    '--no-renames',
    '--no-relative',
    '--no-ext-diff',
    SUBMODULES,
  ];
  const diff = ['diff', ...options, '--no-textconv', '--end-of-options', start, '--'];
  const outputs = await Promise.all([
    runGit(worktree, diff, call),
    runGit(worktree, ['ls-files', '--others', '--exclude-standard', '-z'], call),
  ]);
  const paths = outputs.flatMap(({ stdout }) => stdout.split('\0').slice(0, -1));
  return [...new Set(paths)].sort();
}
