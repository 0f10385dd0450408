import { existsSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { BatonError, escapeLine } from '@baton/core';
import type { GitCall } from './git-call.ts';
import type { Worktree } from './places.ts';
import { runGit } from './run-git.ts';

// Git is only asked where one of these is there: otherwise nothing can be unmerged.
const SIGNS = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'AUTO_MERGE',
  'rebase-merge',
  'rebase-apply',
];
const MAX_READ = 64 * 1024 * 1024;
const MAX_NAMED = 10;
/** As far as git looks to tell a text. */
const TEXT_START = 8000;

/** Stages by path: 1 is the base, 2 ours, 3 theirs. */
type Stages = ReadonlyMap<string, ReadonlySet<string>>;

export async function refuseUnresolved(worktree: Worktree, call: GitCall): Promise<void> {
  if (!SIGNS.some((name) => existsSync(path.join(worktree.gitDir, name)))) return;
  const [unmerged, staged] = await Promise.all([
    stagesIn(worktree, '--unmerged', call),
    stagesIn(worktree, '--resolve-undo', call),
  ]);
  const unresolved = [
    ...[...unmerged].filter(([file, stages]) => !isEdited(worktree, file, stages)),
    ...[...staged].filter(([file]) => contentOf(worktree, file) === 'conflict'),
  ].map(([file]) => file);
  if (unresolved.length === 0) return;
  const names = [...new Set(unresolved)].sort();
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  const shown = names.slice(0, MAX_NAMED).map((name) => escapeLine(name));
  throw new BatonError(
    'merge_unresolved',
    `Conflicts are not resolved yet in ${worktree.path}: ${shown.join(', ')}${more}.`,
    'Edit each file until no conflict marker is left, and run git add (or git rm) for it.',
  );
}

async function stagesIn(worktree: Worktree, which: string, call: GitCall): Promise<Stages> {
  const { stdout } = await runGit(worktree, ['ls-files', which, '-z'], call);
  const found = new Map<string, Set<string>>();
  for (const entry of stdout.split('\0')) {
    const tab = entry.indexOf('\t');
    if (tab < 0) continue;
    const file = entry.slice(tab + 1);
    found.set(file, (found.get(file) ?? new Set()).add(entry.slice(tab - 1, tab)));
  }
  return found;
}

/** Whether what is on disk was decided by somebody. */
function isEdited(worktree: Worktree, file: string, stages: ReadonlySet<string>): boolean {
  const content = contentOf(worktree, file);
  if (content === 'missing') return true;
  // Git has put no markers where one side removed it: that it is there says nothing.
  return content === 'text' && stages.has('2') && stages.has('3');
}

function contentOf(worktree: Worktree, file: string): 'missing' | 'conflict' | 'text' | 'other' {
  const full = path.join(worktree.path, file);
  const stat = lstatSync(full, { throwIfNoEntry: false });
  if (!stat) return 'missing';
  if (!stat.isFile() || stat.size > MAX_READ) return 'other';
  const bytes = readFileSync(full);
  if (bytes.subarray(0, TEXT_START).includes(0)) return 'other';
  const text = bytes.toString('latin1');
  return /^<{7} /m.test(text) && /^>{7} /m.test(text) ? 'conflict' : 'text';
}
