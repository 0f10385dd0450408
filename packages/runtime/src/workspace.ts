import { readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { BatonError, type Workspace } from '@baton/core';

/**
 * The workspace that a folder belongs to: the nearest folder above it with `.baton/`, else the
 * git repository, both mapped from a linked worktree to the main checkout, else the folder
 * itself. So an agent in a worktree or a subfolder sees the same plans and tickets.
 */
export function findWorkspace(start: string): Workspace {
  const folder = realFolder(start);
  const marked = ancestors(folder).find((candidate) => isFolder(path.join(candidate, '.baton')));
  if (marked) return found(marked, 'baton-folder');
  const checkout = ancestors(folder).find((candidate) => exists(path.join(candidate, '.git')));
  if (checkout) return found(checkout, 'git');
  return { path: folder, foundBy: 'folder' };
}

function found(folder: string, foundBy: Workspace['foundBy']): Workspace {
  const main = mainCheckout(folder);
  return { path: main, foundBy, ...(main !== folder && { checkout: folder }) };
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
function mainCheckout(folder: string): string {
  const above = ancestors(folder).find((candidate) => exists(path.join(candidate, '.git')));
  if (!above) return folder;
  const dotGit = path.join(above, '.git');
  if (isFolder(dotGit)) return folder;
  const gitDir = linkedGitDir(above, dotGit);
  // A worktree's git directory is <main>/.git/worktrees/<name>; a submodule's is elsewhere.
  if (!gitDir || path.basename(path.dirname(gitDir)) !== 'worktrees') return folder;
  const common = path.dirname(path.dirname(gitDir));
  if (path.basename(common) !== '.git') return folder;
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
