export { addWorktree, type NewWorktree } from './add-worktree.ts';
export { type Checkout, checkoutsOf } from './checkouts.ts';
export { type Committed, type Committing, commitAll } from './commit-all.ts';
export type { Hunk } from './conflict-hunks.ts';
export { copyIncluded } from './copy-included.ts';
export { defaultBranches, isDefaultBranch } from './default-branches.ts';
export {
  changedPaths,
  type DiffStat,
  diffPatch,
  diffStat,
  type FileStat,
  worktreeChanges,
} from './diff.ts';
export { type Forward, forwardCheckout } from './forward-checkout.ts';
export type { GitCall, LocalCommand } from './git-call.ts';
export { gitVersion } from './git-version.ts';
export { includePatterns } from './include-file.ts';
export { linkFolders } from './link-folders.ts';
export { localCommands } from './local-configuration.ts';
export {
  type Conflict,
  type Merge,
  type Merging,
  mergeCommits,
  predictConflicts,
} from './merge-commits.ts';
export { isBranchName, isRevision } from './names.ts';
export type { Repository, Worktree } from './places.ts';
export { deleteRef, dropRefs, keepRef, type RefChange, readRef, setRef } from './refs.ts';
export { removeWorktree, removeWorktreeFiles } from './remove-worktree.ts';
export { findRepository } from './repository.ts';
export { independent, isAncestor, resolveCommit } from './revisions.ts';
export { type Saving, saveWorktree } from './save-worktree.ts';
export { snapshotWorktree } from './snapshot-worktree.ts';
export { startMerge } from './start-merge.ts';
export { headOf, openWorktree, registeredWorktree } from './worktree.ts';
export { kindAt } from './worktree-place.ts';
export {
  type Change,
  stateWithoutFiles,
  type WorktreeState,
  worktreeState,
} from './worktree-state.ts';
