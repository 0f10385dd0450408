import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '@baton/core';
import { addFiles, nestedRepositories } from './add-files.ts';
import type { GitCall } from './git-call.ts';
import { gitFailed } from './git-failure.ts';
import { unhideFiles } from './hidden-files.ts';
import { commitTree } from './identity.ts';
import { withIndexCopy } from './index-copy.ts';
import { requireRef } from './names.ts';
import type { Repository, Worktree } from './places.ts';
import { setRef } from './refs.ts';
import { runGit } from './run-git.ts';
import type { WorktreeState } from './worktree-state.ts';

const MAX_ROUNDS = 50;

export interface Saving {
  /** The folder of refs, such as refs/baton/kept/x/; each state gets the next number in it. */
  readonly refs: string;
  readonly state: WorktreeState;
  readonly message: string;
}

/**
 * Keeps all that is in a worktree, but for what git ignores, as a commit under a ref of its own.
 * The worktree stays as it is. The same state again has the same ref.
 */
export async function saveWorktree(
  repo: Repository,
  worktree: Worktree,
  { refs, state, message }: Saving,
  given: GitCall,
): Promise<string> {
  const call: GitCall = { ...given, permit: 'off' };
  requireRef(refs.slice(0, -1));
  refuseNested(worktree, state);
  const snapshot = await snapshotOf(repo, worktree, state, call);
  let commit: string | undefined;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const saved = await savedIn(repo, refs, call);
    const same = saved.find((each) => isSame(snapshot, each));
    if (same) return same.ref;
    commit ??= snapshot.commit ?? (await commitTree(worktree, { ...snapshot, message }, call));
    // A number that is taken where names differ in case only is passed over.
    const next = Math.max(0, ...saved.map(({ number }) => number)) + 1 + round;
    const ref = `${refs}${next}`;
    if (await setRef(repo, { ref, to: commit, from: undefined }, call)) return ref;
  }
  throw gitFailed('update-ref', 'not done', `every name in ${refs} was taken`);
}

/** Its files are in no tree of ours. */
function refuseNested(worktree: Worktree, { changes }: WorktreeState): void {
  const own = lstatSync(path.join(worktree.path, '.git'), { throwIfNoEntry: false });
  const nested = changes.filter(({ isNested }) => isNested).map((change) => change.path);
  if (own?.isDirectory()) nested.push('.git');
  if (nested.length > 0) throw nestedRepositories(nested);
}

interface Snapshot {
  readonly tree: string;
  readonly parents: readonly string[];
  /** Where nothing is uncommitted, the commit itself. */
  readonly commit?: string;
}

async function snapshotOf(
  repo: Repository,
  worktree: Worktree,
  { head, pending, changes, links, hidden }: WorktreeState,
  call: GitCall,
): Promise<Snapshot> {
  const headTree = head && (await treeOf(repo, head, call));
  if (head && headTree && changes.length === 0 && pending.length === 0) {
    return { tree: headTree, parents: await parentsOf(repo, head, call), commit: head };
  }
  return withIndexCopy(worktree, async (env) => {
    const bases = [...new Set([...(head ? [head] : []), ...pending])];
    const staged = changes.some(({ isStagedOnly }) => isStagedOnly)
      ? await stagedCommit(worktree, env, bases.slice(0, 1), call)
      : [];
    await unhideFiles(worktree, hidden, env, call);
    await addFiles(worktree, { except: links, env }, call);
    const { stdout } = await runGit(worktree, ['write-tree'], call, { env });
    return { tree: stdout.trim(), parents: [...bases, ...staged] };
  });
}

/** What was staged, and is in no file any more. There is none while a conflict is open. */
async function stagedCommit(
  worktree: Worktree,
  env: Environment,
  parents: readonly string[],
  call: GitCall,
): Promise<string[]> {
  const { code, stdout } = await runGit(worktree, ['write-tree'], call, { env, accepts: 'any' });
  if (code !== 0) return [];
  const message = 'What was staged in a worktree\n';
  // Always the same for the same content, so that the same state is known again.
  const when = { GIT_AUTHOR_DATE: '@0 +0000', GIT_COMMITTER_DATE: '@0 +0000' };
  return [await commitTree(worktree, { tree: stdout.trim(), parents, message }, call, when)];
}

async function treeOf(repo: Repository, commit: string, call: GitCall): Promise<string> {
  const args = ['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`];
  return (await runGit(repo, args, call)).stdout.trim();
}

async function parentsOf(repo: Repository, commit: string, call: GitCall): Promise<string[]> {
  const args = ['rev-list', '--parents', '-n', '1', '--end-of-options', commit];
  return (await runGit(repo, args, call)).stdout.trim().split(' ').slice(1);
}

interface Saved extends Required<Snapshot> {
  readonly ref: string;
  readonly number: number;
}

async function savedIn(repo: Repository, refs: string, call: GitCall): Promise<readonly Saved[]> {
  const format = '--format=%(refname)%00%(objectname)%00%(tree)%00%(parent)';
  const { stdout } = await runGit(repo, ['for-each-ref', format, '--end-of-options', refs], call);
  return stdout.split('\n').flatMap((line) => {
    const [ref = '', commit = '', tree = '', parents = ''] = line.split('\0');
    const number = Number(ref.slice(refs.length));
    if (!ref.startsWith(refs) || !Number.isInteger(number)) return [];
    return [{ ref, number, commit, tree, parents: parents.split(' ').filter(Boolean) }];
  });
}

function isSame({ tree, parents, commit }: Snapshot, saved: Saved): boolean {
  if (commit !== undefined) return commit === saved.commit;
  return tree === saved.tree && parents.join() === saved.parents.join();
}
