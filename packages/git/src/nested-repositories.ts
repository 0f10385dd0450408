import path from 'node:path';
import { nestedRepositories } from './add-files.ts';
import type { GitCall } from './git-call.ts';
import type { Worktree } from './places.ts';
import { runGit } from './run-git.ts';

const GITLINK = '160000';

/** Repositories that are in the index now but are no submodules are taken out again. */
export async function refuseNested(
  worktree: Worktree,
  start: string,
  call: GitCall,
): Promise<void> {
  const args = ['diff-index', '--cached', '--raw', '-z', '--no-renames', '--end-of-options'];
  const { stdout } = await runGit(worktree, [...args, start, '--'], call);
  const submodules = await submodulePaths(worktree, call);
  const nested = newLinksIn(stdout).filter((each) => !submodules.has(each));
  if (nested.length === 0) return;
  // Left there, the next attempt would commit them without a word.
  const undo = ['--literal-pathspecs', 'rm', '-q', '-f', '--cached', '--', ...nested];
  await runGit(worktree, undo, call);
  throw nestedRepositories(nested);
}

function newLinksIn(output: string): readonly string[] {
  const fields = output.split('\0');
  const found: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [before = '', after] = (fields[at] ?? '').slice(1).split(' ');
    if (after === GITLINK && before !== GITLINK) found.push(fields[at + 1] ?? '');
  }
  return found;
}

async function submodulePaths(worktree: Worktree, call: GitCall): Promise<ReadonlySet<string>> {
  const file = path.join(worktree.path, '.gitmodules');
  const args = ['config', '-z', '-f', file, '--get-regexp', String.raw`^submodule\..*\.path$`];
  const { stdout } = await runGit(worktree, args, call, { accepts: [0, 1] });
  return new Set(stdout.split('\0').map((entry) => entry.slice(entry.indexOf('\n') + 1)));
}
