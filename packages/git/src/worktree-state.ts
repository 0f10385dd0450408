import { createHash, type Hash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { GitCall } from './git-call.ts';
import { gitDirOf } from './git-dir.ts';
import { isCommitHash } from './names.ts';
import type { Repository, Worktree } from './places.ts';
import { runGit } from './run-git.ts';
import { headIfAny } from './worktree.ts';

const STATUS = [
  'status',
  '--porcelain=v2',
  '-z',
  '--branch',
  '--no-ahead-behind',
  '--untracked-files=all',
  // Git would run in submodules by their settings: we look there ourselves.
  '--ignore-submodules=dirty',
  '--no-renames',
];
/** Commits that are in the making, and that nothing but these files holds. */
const PENDING = [
  'MERGE_HEAD',
  path.join('rebase-merge', 'orig-head'),
  path.join('rebase-apply', 'orig-head'),
];

/** What there is in a worktree beside the commit that it began with. */
export interface WorktreeState {
  /** Stays the same as long as nobody changes anything. */
  readonly print: string;
  /** None on a branch without commits. */
  readonly head: string | undefined;
  /** Of a merge or rebase that was begun. */
  readonly pending: readonly string[];
  readonly changes: readonly Change[];
  /** Links to folders of the checkout, relative to the top: they are not the worktree's own. */
  readonly links: readonly string[];
}

export interface Change {
  readonly path: string;
  /** Its staged content differs both from the commit and from the file. */
  readonly isStagedOnly: boolean;
  /** A repository, or a submodule with changes of its own: git does not look into it. */
  readonly isNested: boolean;
}

/** Looks at a worktree; nothing in it is changed, and nothing that the repository brings runs. */
export async function worktreeState(
  repo: Repository,
  worktree: Worktree,
  given: GitCall,
): Promise<WorktreeState> {
  const call: GitCall = { ...given, permit: 'off' };
  const { bytes } = await runGit(worktree, STATUS, call);
  const entries = bytes.toString('utf8').split('\0').slice(0, -1);
  const all = entries.flatMap((entry) => changeIn(entry) ?? []);
  const links = linksAmong(repo, worktree, all);
  const isOwn = ({ path: file }: Change) => !links.some((link) => isWithin(link, file));
  const pending = PENDING.flatMap((name) => commitsIn(path.join(worktree.gitDir, name)));
  const hash = createHash('sha256').update(bytes).update(pending.join());
  for (const change of all.filter(isOwn)) addStat(hash, path.join(worktree.path, change.path));
  for (const submodule of await submodulesIn(worktree, call)) {
    const inside = await worktreeState(repo, submodule, call);
    hash.update(inside.print);
    const file = path.relative(worktree.path, submodule.path).replaceAll(path.sep, '/');
    if (inside.changes.length > 0) all.push({ path: file, isStagedOnly: false, isNested: true });
  }
  return {
    print: hash.digest('hex'),
    head: await headIfAny(worktree, call),
    pending,
    changes: all.filter(isOwn),
    links,
  };
}

/** Those that somebody has checked out. */
async function submodulesIn(worktree: Worktree, call: GitCall): Promise<readonly Worktree[]> {
  const { stdout } = await runGit(worktree, ['ls-files', '--stage', '-z'], call);
  return stdout.split('\0').flatMap((entry) => {
    const folder = /^160000 [^\t]+\t(.+)$/s.exec(entry)?.[1];
    const at = folder && path.join(worktree.path, folder);
    const gitDir = at && gitDirOf(at);
    return at && gitDir ? [{ path: at, gitDir, commonDir: gitDir }] : [];
  });
}

/** `1 XY sub …`, `u XY sub …`, `? path`; lines with `#` are headers. */
function changeIn(entry: string): Change | undefined {
  const [kind = '', xy = '', sub = ''] = entry.split(' ', 3);
  if (kind === '?') {
    const file = entry.slice(2);
    // Of untracked folders all files are listed, except of those that are repositories.
    return { path: file, isStagedOnly: false, isNested: file.endsWith('/') };
  }
  if (kind !== '1' && kind !== 'u') return undefined;
  const fields = kind === '1' ? 8 : 10;
  const file = entry.split(' ').slice(fields).join(' ');
  const isStagedOnly = kind === '1' && !xy.includes('.');
  return { path: file, isStagedOnly, isNested: /^S.*[CMU]/.test(sub) };
}

/** What `linkFolders` has made: a link that leads to the same place in the checkout. */
function linksAmong(repo: Repository, worktree: Worktree, changes: readonly Change[]): string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  for (const { path: file } of changes) {
    const parts = file.split('/');
    // Git for Windows looks through junctions, so that a link may stand anywhere in the path.
    for (let length = 1; length <= parts.length; length += 1) {
      const prefix = parts.slice(0, length).join('/');
      if (seen.has(prefix)) continue;
      seen.add(prefix);
      if (isLinkInto(repo, worktree, prefix)) found.add(prefix);
    }
  }
  return [...found];
}

function isLinkInto(repo: Repository, worktree: Worktree, inside: string): boolean {
  try {
    const place = path.join(worktree.path, inside);
    if (!lstatSync(place).isSymbolicLink()) return false;
    return realpathSync(place) === realpathSync(path.join(repo.root, inside));
  } catch {
    return false;
  }
}

function isWithin(folder: string, file: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}

/** By its times, not its content: a file can be large, and one look more than needed harms nobody. */
function addStat(hash: Hash, place: string): void {
  const stat = lstatSync(place, { bigint: true, throwIfNoEntry: false });
  if (!stat) return;
  const { mode, size, mtimeNs, ctimeNs, ino } = stat;
  hash.update(
    `${place}\0${mode} ${stat.isDirectory() ? '' : `${size} ${mtimeNs} ${ctimeNs} ${ino}`}\0`,
  );
  if (!stat.isDirectory()) return;
  for (const name of readdirSync(place).sort()) addStat(hash, path.join(place, name));
}

function commitsIn(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/).filter(isCommitHash);
  } catch {
    return [];
  }
}
