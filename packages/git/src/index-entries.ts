import { existsSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { GitCall } from './git-call.ts';
import { gitDirOf } from './git-dir.ts';
import type { Worktree } from './places.ts';
import { runGit } from './run-git.ts';

const GITLINK = '160000';
/** The same as it stands in every version of an index. */
const GITLINK_BYTES = Buffer.of(0, 0, 0xe0, 0);
/** The extension of an index whose entries are in another file. */
const SPLIT = Buffer.from('link');

export interface IndexEntries {
  /** Files that are there although git does not look at them. */
  readonly hidden: readonly Buffer[];
  /** Those that are checked out. */
  readonly submodules: readonly Worktree[];
  /** Folders with tracked files that are a repository of their own, too: git does not say so. */
  readonly nested: readonly string[];
}

export async function indexOf(worktree: Worktree, call: GitCall): Promise<IndexEntries> {
  const { bytes } = await runGit(worktree, ['ls-files', '-v', '--stage', '-z'], call);
  const hidden: Buffer[] = [];
  const submodules: Worktree[] = [];
  const folders = new Set<string>();
  for (const entry of bytes.toString('latin1').split('\0')) {
    const [, tag = '', mode, file = ''] = /^(\S) (\d+) [^\t]+\t(.+)$/s.exec(entry) ?? [];
    const name = Buffer.from(file, 'latin1');
    // Lower case: assume-unchanged. A sparse checkout skips files that are not there.
    const isHidden = /[a-zS]/.test(tag);
    if (isHidden && lstatSync(placeOf(worktree, name), { throwIfNoEntry: false }))
      hidden.push(name);
    addFolders(folders, name.toString());
    const at = mode === GITLINK && path.join(worktree.path, name.toString());
    const gitDir = at && gitDirOf(at);
    if (at && gitDir) submodules.push({ path: at, gitDir, commonDir: gitDir });
  }
  const nested = [...folders].filter((folder) =>
    existsSync(path.join(worktree.path, folder, '.git')),
  );
  return { hidden, submodules, nested };
}

/** Also those of submodules: `git add` and `git status` go into all of them. */
export async function submodulesOf(worktree: Worktree, call: GitCall): Promise<Worktree[]> {
  if (!mayHaveSubmodules(worktree)) return [];
  const { submodules } = await indexOf(worktree, call);
  const inner = await Promise.all(submodules.map((each) => submodulesOf(each, call)));
  return [...submodules, ...inner.flat()];
}

/** Asked before each commit: most have none, and no process is needed to see that. */
function mayHaveSubmodules({ gitDir }: Worktree): boolean {
  try {
    const index = readFileSync(path.join(gitDir, 'index'));
    return index.includes(GITLINK_BYTES) || index.includes(SPLIT);
  } catch {
    return false;
  }
}

export function placeOf({ path: top }: Worktree, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(top + path.sep), name]);
}

function addFolders(folders: Set<string>, file: string): void {
  for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
    const folder = file.slice(0, end);
    if (folders.has(folder)) return;
    folders.add(folder);
  }
}
