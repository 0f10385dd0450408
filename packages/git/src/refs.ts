import { setTimeout as sleep } from 'node:timers/promises';
import { BatonError } from '@baton/core';
import type { GitCall } from './git-call.ts';
import { gitFailed } from './git-failure.ts';
import { invalidRevision, requireCommits, requireRef } from './names.ts';
import type { Repository } from './places.ts';
import { runGit } from './run-git.ts';

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 20;
const LOCKED = /Unable to create '.*\.lock': File exists/s;
const OTHER_VALUE = /but expected|reference already exists|unable to resolve reference/;
const OF_OTHERS = /^refs\/(?:(?:heads|tags|remotes|notes|stash|replace)\/|[^/]+\/$)/;

/** Keeps a commit from being collected, whatever the ref was before. */
export async function keepRef(
  repo: Repository,
  ref: string,
  commit: string,
  call: GitCall,
): Promise<void> {
  requireRef(ref);
  requireCommits(commit);
  const { code, stderr } = await updateRef(repo, [ref, commit], call);
  if (code !== 0) throw gitFailed('update-ref', code, stderr);
}

export interface RefChange {
  readonly ref: string;
  readonly to: string;
  /** What it must be now; without it, it must not exist. */
  readonly from: string | undefined;
}

/** Whether the ref was what it should be, and is changed now. */
export async function setRef(
  repo: Repository,
  { ref, to, from }: RefChange,
  call: GitCall,
): Promise<boolean> {
  requireRef(ref);
  requireCommits(to, ...(from === undefined ? [] : [from]));
  const { code, stderr } = await updateRef(repo, [ref, to, from ?? ''], call);
  if (code === 0) return true;
  if (OTHER_VALUE.test(stderr)) return false;
  throw gitFailed('update-ref', code, stderr);
}

/** Whether the ref was what it should be, and is gone now. */
export async function deleteRef(
  repo: Repository,
  { ref, from }: Omit<RefChange, 'to'> & { readonly from: string },
  call: GitCall,
): Promise<boolean> {
  requireRef(ref);
  requireCommits(from);
  const { code, stderr } = await updateRef(repo, ['-d', ref, from], call);
  if (code === 0) return true;
  if (OTHER_VALUE.test(stderr)) return false;
  throw gitFailed('update-ref', code, stderr);
}

/** Somebody else's change of the same ref takes a moment. */
async function updateRef(repo: Repository, change: readonly string[], call: GitCall) {
  const isDeletion = change[0] === '-d';
  const [flags, rest] = isDeletion ? [['-d'], change.slice(1)] : [[], change];
  const args = ['update-ref', ...flags, '--end-of-options', ...rest];
  for (let attempt = 1; ; attempt++) {
    const outcome = await runGit(repo, args, call, { accepts: 'any' });
    if (attempt === ATTEMPTS || outcome.code === 0 || !LOCKED.test(outcome.stderr)) return outcome;
    await sleep(FIRST_PAUSE_MS * 2 ** attempt, undefined, { signal: call.signal });
  }
}

export async function readRef(
  repo: Repository,
  ref: string,
  call: GitCall,
): Promise<string | undefined> {
  requireRef(ref);
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', '--end-of-options', ref];
  const { stdout } = await runGit(repo, args, call);
  // Refs below it are listed too.
  const line = stdout.split('\n').find((each) => each.endsWith(` ${ref}`));
  return line?.split(' ')[0];
}

/** Removes all refs below a folder of ours. */
export async function dropRefs(repo: Repository, prefix: string, call: GitCall): Promise<void> {
  if (!prefix.endsWith('/')) throw invalidRevision(prefix, 'End the folder of refs with a slash.');
  requireRef(prefix.slice(0, -1));
  if (OF_OTHERS.test(prefix)) {
    throw new BatonError(
      'revision_invalid',
      `Refs in ${prefix} are not Baton's to remove.`,
      'Name a folder such as refs/baton/<id>/.',
    );
  }
  const args = ['for-each-ref', '--format=delete %(refname)', '--end-of-options', prefix];
  const { stdout: deletions } = await runGit(repo, args, call, { isAboutNames: true });
  if (deletions === '') return;
  const deleting = { input: deletions, isAboutNames: true };
  await runGit(repo, ['update-ref', '--no-deref', '--stdin'], call, deleting);
}
