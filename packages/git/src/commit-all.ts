import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { addFiles } from './add-files.ts';
import type { GitCall } from './git-call.ts';
import { gitFailed } from './git-failure.ts';
import { runAsSomebody } from './identity.ts';
import { requireCommits } from './names.ts';
import { refuseNested } from './nested-repositories.ts';
import type { Repository, Worktree } from './places.ts';
import { isAncestor } from './revisions.ts';
import { refuseUnresolved } from './unresolved.ts';
import { headIfAny, headOf } from './worktree.ts';

export interface Committing {
  /** The commit that the work began with. */
  readonly start: string;
  readonly message: string;
  /** Paths, relative to the top, that are never added. */
  readonly except: readonly string[];
}

export interface Committed {
  readonly commit: string;
  /** The start is no ancestor of the commit. */
  readonly isRewritten: boolean;
}

const COMMIT = [
  'commit',
  '-q',
  '--no-verify',
  '--no-gpg-sign',
  '--no-status',
  '--untracked-files=no',
  '--allow-empty-message',
  '--cleanup=verbatim',
];
const MESSAGE_FILE = 'baton-message';
const NOTHING = /nothing (?:added )?to commit|no changes added to commit/;

/** Commits what is in the worktree, if anything has changed; again, it finds the same commit. */
export async function commitAll(
  worktree: Worktree,
  { start, message, except }: Committing,
  repo: Repository,
  call: GitCall,
): Promise<Committed> {
  requireCommits(start);
  await refuseUnresolved(worktree, call);
  const before = await headIfAny(worktree, call);
  const { hasNested } = await addFiles(worktree, { except }, call);
  if (hasNested) await refuseNested(worktree, start, call);
  // From a file: of a pipe git would take as the whole message what it got before we were killed.
  const file = path.join(worktree.gitDir, MESSAGE_FILE);
  await writeFile(file, message);
  const { code, stdout, stderr } = await runAsSomebody(worktree, [...COMMIT, '-F', file], call);
  if (code !== 0 && !(code === 1 && NOTHING.test(stdout))) {
    throw gitFailed('commit', code, stderr || stdout);
  }
  const commit = await headOf(worktree, call);
  // Our own commit has the start as its parent.
  const isMoved = before !== start;
  return { commit, isRewritten: isMoved && !(await isAncestor(repo, start, commit, call)) };
}
