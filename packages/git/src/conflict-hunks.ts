import type { GitCall } from './git-call.ts';
import type { Repository } from './places.ts';
import { runGit } from './run-git.ts';

const MAX_FILES = 100;
const MAX_BYTES = 1024 * 1024;
const MAX_HUNKS = 5;
const MAX_LINES = 40;

export interface Hunk {
  readonly line: number;
  /** With its markers. */
  readonly text: string;
}

export interface Side {
  readonly commit: string;
  readonly label: string | undefined;
}

/** The conflicts in the files of a tree that was merged, by path. */
export async function conflictHunks(
  repo: Repository,
  merged: { readonly tree: string; readonly paths: readonly string[] },
  sides: { readonly ours: Side; readonly theirs: Side },
  call: GitCall,
): Promise<ReadonlyMap<string, readonly Hunk[]>> {
  const blobs = await blobsAt(repo, merged.tree, merged.paths.slice(0, MAX_FILES), call);
  if (blobs.size === 0) return new Map();
  const input = [...blobs.values()].map((hash) => `${hash}\n`).join('');
  const { bytes } = await runGit(repo, ['cat-file', '--batch'], call, {
    input,
    maxBytes: MAX_FILES * (MAX_BYTES + 200),
  });
  const contents = contentsIn(bytes);
  return new Map(
    [...blobs.keys()].map((path, at) => [path, hunksIn(contents[at] ?? Buffer.of(), sides)]),
  );
}

async function blobsAt(repo: Repository, tree: string, paths: readonly string[], call: GitCall) {
  if (paths.length === 0) return new Map<string, string>();
  const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', '--end-of-options', tree];
  const { stdout } = await runGit(repo, ['--literal-pathspecs', ...args, '--', ...paths], call);
  const found = new Map<string, string>();
  for (const entry of stdout.split('\0')) {
    const [, type, hash = '', size] = entry.split(/\s+/, 4);
    if (type === 'blob' && Number(size) <= MAX_BYTES) {
      found.set(entry.slice(entry.indexOf('\t') + 1), hash);
    }
  }
  return found;
}

/** Each is a line with hash, type and size, the content, and a line break. */
function contentsIn(bytes: Buffer): readonly Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = bytes.indexOf(10, at) + 1;
    if (start === 0) break;
    const size = Number(bytes.toString('latin1', at, start).split(' ')[2]);
    found.push(bytes.subarray(start, start + size));
    at = start + size + 1;
  }
  return found;
}

function hunksIn(bytes: Buffer, { ours, theirs }: { ours: Side; theirs: Side }): readonly Hunk[] {
  const lines = linesOf(bytes);
  const hunks: Hunk[] = [];
  // With the commit's name: text may have markers of its own.
  const opening = new RegExp(`^<{7,} ${ours.commit}`);
  const closing = new RegExp(`^>{7,} ${theirs.commit}`);
  for (let at = 0; at < lines.length && hunks.length < MAX_HUNKS; at++) {
    if (!opening.test(lines[at] ?? '')) continue;
    const length = lines.slice(at).findIndex((line) => closing.test(line)) + 1;
    if (length === 0) break;
    const kept = lines.slice(at, at + Math.min(length, MAX_LINES));
    hunks.push({ line: at + 1, text: labelled(kept, ours, theirs) });
    at += length - 1;
  }
  return hunks;
}

function labelled(lines: readonly string[], ours: Side, theirs: Side): string {
  return lines
    .map((line) => {
      const side = line.startsWith('<') ? ours : theirs;
      const isMarker = /^(?:<{7,}|>{7,}) /.test(line);
      return isMarker ? line.replace(side.commit, () => side.label ?? side.commit) : line;
    })
    .join('\n');
}

function linesOf(bytes: Buffer): readonly string[] {
  if (bytes.includes(0)) return [];
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).split('\n');
  } catch {
    return [];
  }
}
