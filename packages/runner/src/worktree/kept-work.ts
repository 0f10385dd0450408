import { BatonError } from '@baton/core';
import {
  findRepository,
  type GitCall,
  kindAt,
  type Repository,
  registeredWorktree,
  saveWorktree,
  stateWithoutFiles,
  worktreeState,
} from '@baton/git';
import { recordSaved, savedRefsOf, type WorktreeRow } from '@baton/plans/jobs';
import type { Store } from '@baton/store';

/** How a folder is left that is kept for people: what differs from that later is their work. */
export async function keptState(
  repository: Repository,
  folder: string,
  call: GitCall,
): Promise<string | undefined> {
  const worktree = registeredWorktree(folder, repository);
  return worktree && (await worktreeState(repository, worktree, call)).print;
}

/**
 * Keeps what people have done in a worktree that is to be removed, under a ref that lasts. Returns
 * the ref, or `undefined` if there is nothing of theirs. Throws if it cannot be kept: then the
 * worktree must stay. `onSaved` is called between the ref and what the store knows of it.
 */
export async function saveWork(
  store: Store,
  row: WorktreeRow,
  call: GitCall,
  onSaved: () => void = () => {},
): Promise<string | undefined> {
  if (row.kept_state === null) return undefined;
  // Moved, removed, or a link: its files are not ours to remove then. Its commits go all the same.
  const isThere = kindAt(row.path) === 'folder';
  const repository = await findRepository(row.root, call).catch((error: unknown) => {
    if (isThere) throw error;
  });
  const worktree = repository && registeredWorktree(row.path, repository);
  if (!worktree) {
    if (isThere) throw unknownWorktree(row);
    return row.saved_ref ?? undefined;
  }
  const state = isThere
    ? await worktreeState(repository, worktree, call)
    : stateWithoutFiles(worktree);
  const { print, head = row.start_commit, changes, pending } = state;
  const isUntouched = print === row.kept_state;
  const isEmpty = head === row.start_commit && changes.length === 0 && pending.length === 0;
  if (isUntouched || isEmpty) return row.saved_ref ?? undefined;
  const message = `Work in the worktree of job ${row.job_id}\n\nBaton-Plan: ${row.plan_id}\n`;
  const saving = { refs: savedRefsOf(row), state, message };
  const ref = await saveWorktree(repository, worktree, saving, call);
  onSaved();
  await store.write('durable', (tx) => recordSaved(tx, row.attempt_id, { state: print, ref }));
  return ref;
}

function unknownWorktree({ root }: WorktreeRow): BatonError {
  return new BatonError(
    'worktree_unknown',
    `The repository ${root} does not know this worktree any more.`,
    'Copy what you need of it to somewhere else.',
  );
}
