import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { GitCall } from './git-call.ts';
import { gitDirOf } from './git-dir.ts';
import { invalidRevision, isBranchName } from './names.ts';
import type { Repository, Worktree } from './places.ts';
import { runGit } from './run-git.ts';

const MAX_CHANGES = 20;
const SUBMODULES = '--ignore-submodules=dirty';
const BUSY = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'BISECT_START',
  'rebase-merge',
  'rebase-apply',
];

export interface Checkout extends Worktree {
  /** Files known to git that differ from the commit; the first few. Others are in nobody's way, or git refuses. */
  readonly changes: readonly string[];
  /** A merge, a rebase or the like was begun there. */
  readonly isBusy: boolean;
}

interface Listed {
  readonly path: string;
  readonly branch: string | undefined;
  readonly isUsable: boolean;
}

/** Where a branch is checked out, or will be again when what was begun there ends. */
export async function checkoutsOf(
  repo: Repository,
  branch: string,
  call: GitCall,
): Promise<readonly Checkout[]> {
  if (!isBranchName(branch)) throw invalidRevision(branch, 'Give the name of a branch.');
  const ref = `refs/heads/${branch}`;
  const { stdout } = await runGit(repo, ['worktree', 'list', '--porcelain', '-z'], call);
  const found: Checkout[] = [];
  for (const [at, listed] of listedIn(stdout).entries()) {
    const folder = at === 0 ? mainFolder(repo, listed.path) : listed.path;
    const gitDir = gitDirOf(folder);
    if (!listed.isUsable || gitDir === undefined) continue;
    if (listed.branch !== ref && !isHeldIn(gitDir, branch)) continue;
    const checkout = { path: folder, gitDir, commonDir: repo.gitDir };
    found.push({
      ...checkout,
      changes: await changesIn(checkout, call),
      isBusy: BUSY.some((name) => existsSync(path.join(gitDir, name))),
    });
  }
  return found;
}

function listedIn(output: string): readonly Listed[] {
  return output.split('\0\0').flatMap((entry) => {
    const lines = entry.split('\0').filter((line) => line !== '');
    const field = (name: string) =>
      lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
    const folder = field('worktree');
    if (folder === undefined) return [];
    const isUsable = !lines.some((line) => /^(?:bare$|prunable)/.test(line));
    return [{ path: folder, branch: field('branch'), isUsable }];
  });
}

/** Of a submodule, git names its git folder instead. */
function mainFolder(repo: Repository, listed: string): string {
  const isWrong = gitDirOf(listed) === undefined && gitDirOf(repo.root) === repo.gitDir;
  return isWrong ? repo.root : listed;
}

/** Meanwhile its HEAD is on no branch. */
function isHeldIn(gitDir: string, branch: string): boolean {
  const names = [
    ...linesOf(path.join(gitDir, 'rebase-merge', 'head-name')),
    ...linesOf(path.join(gitDir, 'rebase-merge', 'update-refs')),
    ...linesOf(path.join(gitDir, 'rebase-apply', 'head-name')),
    ...linesOf(path.join(gitDir, 'BISECT_START')),
  ];
  return names.includes(branch) || names.includes(`refs/heads/${branch}`);
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/);
  } catch {
    return [];
  }
}

async function changesIn(checkout: Worktree, call: GitCall): Promise<readonly string[]> {
  const options = ['--porcelain', '-z', '--untracked-files=no', '--no-renames', SUBMODULES];
  const { stdout } = await runGit(checkout, ['status', ...options], call);
  const entries = stdout.split('\0').slice(0, -1);
  return entries.slice(0, MAX_CHANGES).map((entry) => entry.slice(3));
}
