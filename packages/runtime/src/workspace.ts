import { lstatSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { BatonError, type Workspace } from '@baton/core';

export interface WorkspaceSearch {
  /** The user has named this very folder: then it is used whoever owns it. */
  readonly isNamed?: boolean;
  /** Users whose folders are used; everybody's without it. */
  readonly owners?: readonly number[] | undefined;
}

export interface FoundWorkspace {
  readonly workspace: Workspace;
  /** What was left alone because another user owns it. */
  readonly refusals: readonly string[];
}

/**
 * The workspace that a folder belongs to: the nearest folder above it with `.baton/`, in a git
 * repository up to its top, else that repository, both mapped from a linked worktree to the main
 * checkout, else the folder itself. So an agent in a worktree or a subfolder sees the same plans
 * and tickets.
 *
 * Anybody can put a `.baton` or a `.git` into a folder that users share. As with git's
 * safe.directory, those of other users count as not there.
 */
export function findWorkspace(start: string, search: WorkspaceSearch = {}): FoundWorkspace {
  const folder = realFolder(start);
  const foreign = new Set<string>();
  const uses = (parent: string, name: '.baton' | '.git'): boolean => {
    const file = path.join(parent, name);
    if (!exists(file)) return false;
    if (search.isNamed && parent === folder) return true;
    if (isOwned(parent, search.owners) && isOwned(file, search.owners)) return true;
    foreign.add(file);
    return false;
  };
  const found = (place: string, foundBy: Workspace['foundBy']): FoundWorkspace => {
    const main = mainCheckout(place, uses);
    const hasForeignFolder = exists(path.join(main, '.baton')) && !uses(main, '.baton');
    const workspace: Workspace = {
      path: main,
      foundBy,
      ...(main !== place && { checkout: place }),
      ...(hasForeignFolder && { hasForeignFolder }),
    };
    return { workspace, refusals: [...foreign].map(refusal) };
  };
  for (const candidate of ancestors(folder)) {
    const isMarked = isFolder(path.join(candidate, '.baton'));
    if (isMarked && uses(candidate, '.baton')) return found(candidate, 'baton-folder');
    if (uses(candidate, '.git')) return found(candidate, 'git');
  }
  return found(folder, 'folder');
}

/**
 * Whose folders this process uses unasked: the user's own and the administrator's, who can do
 * everything here anyway. With sudo also those of whoever called it, as git does. On Windows
 * nobody is asked: files have no such owner there.
 */
export function trustedOwners(
  env: Readonly<Record<string, string | undefined>>,
): readonly number[] | undefined {
  const user = process.geteuid?.();
  if (user === undefined) return undefined;
  const caller = user === 0 && /^\d{1,10}$/.test(env.SUDO_UID ?? '') ? [Number(env.SUDO_UID)] : [];
  return [user, 0, ...caller];
}

function isOwned(file: string, owners: readonly number[] | undefined): boolean {
  if (!owners) return true;
  try {
    // A link counts as its own and as what it leads to: both decide what is read.
    return [lstatSync(file), statSync(file)].every(({ uid }) => owners.includes(uid));
  } catch {
    return false;
  }
}

function refusal(file: string): string {
  const folder = path.dirname(file);
  return `Not used: ${file} or its folder belongs to another user. To use it all the same, name the folder: --workspace ${folder}, or BATON_WORKSPACE.`;
}

function realFolder(start: string): string {
  let real: string;
  try {
    real = realpathSync(path.resolve(start));
  } catch (cause) {
    throw missing(start, 'does not exist', cause);
  }
  if (!isFolder(real)) throw missing(start, 'is not a folder');
  return real;
}

function missing(start: string, what: string, cause?: unknown): BatonError {
  return new BatonError(
    'workspace_missing',
    `The workspace ${JSON.stringify(start)} ${what}.`,
    'Name an existing folder with --workspace or BATON_WORKSPACE, or start Baton in one.',
    { cause },
  );
}

function ancestors(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}

/** Follows the `.git` file of a linked worktree back to the checkout that owns it. */
function mainCheckout(folder: string, uses: (parent: string, name: '.git') => boolean): string {
  const above = ancestors(folder).find((candidate) => uses(candidate, '.git'));
  if (!above) return folder;
  const dotGit = path.join(above, '.git');
  if (isFolder(dotGit)) return folder;
  const gitDir = linkedGitDir(above, dotGit);
  // A worktree's git directory is <main>/.git/worktrees/<name>; a submodule's is elsewhere.
  if (!gitDir || path.basename(path.dirname(gitDir)) !== 'worktrees') return folder;
  const common = path.dirname(path.dirname(gitDir));
  if (path.basename(common) !== '.git' || !uses(path.dirname(common), '.git')) return folder;
  const main = path.join(path.dirname(common), path.relative(above, folder));
  return isFolder(main) ? realpathSync(main) : folder;
}

function linkedGitDir(checkout: string, dotGit: string): string | undefined {
  // Looked at before it is opened: reading a pipe would wait for ever.
  if (!look(dotGit)?.isFile()) return undefined;
  try {
    const [, target] = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, 'utf8')) ?? [];
    return target && realpathSync(path.resolve(checkout, target.trim()));
  } catch {
    return undefined;
  }
}

function exists(file: string): boolean {
  return look(file) !== undefined;
}

function isFolder(file: string): boolean {
  return look(file)?.isDirectory() ?? false;
}

function look(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined; // No permission to look is the same as not being there.
  }
}
