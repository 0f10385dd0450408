import { createHash, type Hash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { GitCall } from './git-call.ts';
import { unhideFiles } from './hidden-files.ts';
import { withIndexCopy } from './index-copy.ts';
import { indexOf, placeOf } from './index-entries.ts';
import { isCommitHash } from './names.ts';
import type { Repository, Worktree } from './places.ts';
import { runGit } from './run-git.ts';
import { detachedHead, headIfAny } from './worktree.ts';

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
  // What was set aside until then.
  'MERGE_AUTOSTASH',
  path.join('rebase-merge', 'autostash'),
  path.join('rebase-apply', 'autostash'),
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
  /** Files that git was told not to look at, by `assume-unchanged` or `skip-worktree`. */
  readonly hidden: readonly Buffer[];
}

export interface Change {
  readonly path: string;
  /** The same as git knows it: it need not be UTF-8. */
  readonly name: Buffer;
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
  const { hidden, submodules, nested } = await indexOf(worktree, call);
  const bytes = await statusOf(worktree, hidden, call);
  // One character a byte: names that are not UTF-8 stay what they are.
  const entries = bytes.toString('latin1').split('\0').slice(0, -1);
  const all = entries.flatMap((entry) => changeIn(entry) ?? []);
  const links = linksAmong(repo, worktree, all);
  const isOwn = ({ path: file }: Change) => !links.some((link) => isWithin(link, file));
  const pending = PENDING.flatMap((name) => commitsIn(path.join(worktree.gitDir, name)));
  const hash = createHash('sha256').update(bytes).update(pending.join());
  for (const { name } of all.filter(isOwn)) addStat(hash, placeOf(worktree, name));
  for (const folder of nested) {
    addStat(hash, placeOf(worktree, Buffer.from(`${folder}/.git`)));
    all.push(nestedChange(folder));
  }
  for (const submodule of submodules) {
    const inside = await worktreeState(repo, submodule, call);
    const own = await ownCommits(submodule, call);
    hash.update(inside.print).update(own);
    const file = path.relative(worktree.path, submodule.path).replaceAll(path.sep, '/');
    if (inside.changes.length > 0 || own !== '') all.push(nestedChange(file));
  }
  return {
    print: hash.digest('hex'),
    head: await headIfAny(worktree, call),
    pending,
    changes: all.filter(isOwn),
    links,
    hidden,
  };
}

/** Of a worktree whose folder is not there, moved for example: what is committed on no branch. */
export function stateWithoutFiles(worktree: Worktree): WorktreeState {
  const head = detachedHead(worktree);
  return { print: `at ${head}`, head, pending: [], changes: [], links: [], hidden: [] };
}

async function statusOf(
  worktree: Worktree,
  hidden: readonly Buffer[],
  call: GitCall,
): Promise<Buffer> {
  if (hidden.length === 0) return (await runGit(worktree, STATUS, call)).bytes;
  return withIndexCopy(worktree, async (env) => {
    await unhideFiles(worktree, hidden, env, call);
    return (await runGit(worktree, STATUS, call, { env })).bytes;
  });
}

function nestedChange(file: string): Change {
  return { path: file, name: Buffer.from(file), isStagedOnly: false, isNested: true };
}

/** Commits that no remote of a submodule has: they are in its git folder only, and go with it. */
async function ownCommits(submodule: Worktree, call: GitCall): Promise<string> {
  const tips = ['--branches', '--glob=refs/stash', 'HEAD', '--not', '--remotes'];
  const args = ['rev-list', '--max-count=20', '--ignore-missing', ...tips];
  // On a branch without commits there is no HEAD.
  return (await runGit(submodule, args, call, { accepts: [0, 128] })).stdout;
}

/** `1 XY sub …`, `u XY sub …`, `? path`; lines with `#` are headers. */
function changeIn(entry: string): Change | undefined {
  const [kind = '', xy = '', sub = ''] = entry.split(' ', 3);
  if (kind === '?') {
    const name = Buffer.from(entry.slice(2), 'latin1');
    const file = name.toString();
    // Of untracked folders all files are listed, except of those that are repositories.
    return { path: file, name, isStagedOnly: false, isNested: file.endsWith('/') };
  }
  if (kind !== '1' && kind !== 'u') return undefined;
  const fields = kind === '1' ? 8 : 10;
  const name = Buffer.from(entry.split(' ').slice(fields).join(' '), 'latin1');
  const isStagedOnly = kind === '1' && !xy.includes('.');
  return { path: name.toString(), name, isStagedOnly, isNested: /^S.*[CMU]/.test(sub) };
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
function addStat(hash: Hash, place: Buffer): void {
  const stat = lstatSync(place, { bigint: true, throwIfNoEntry: false });
  if (!stat) return;
  const { mode, size, mtimeNs, ctimeNs, ino } = stat;
  const times = stat.isDirectory() ? '' : `${size} ${mtimeNs} ${ctimeNs} ${ino}`;
  hash.update(place).update(`\0${mode} ${times}\0`);
  if (!stat.isDirectory()) return;
  const names = readdirSync(place, { encoding: 'buffer' }).sort(Buffer.compare);
  for (const name of names) addStat(hash, Buffer.concat([place, Buffer.from(path.sep), name]));
}

function commitsIn(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/).filter(isCommitHash);
  } catch {
    return [];
  }
}
