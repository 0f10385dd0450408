import { devNull } from 'node:os';
import type { Worktree } from './places.ts';

/** A folder in which git looks for its repository, or a worktree whatever its .git says now. */
export type Place = string | Worktree;

// Nothing that a repository brings along may run, and nobody's taste may change what we read.
const SETTINGS = [
  `core.hooksPath=${process.platform === 'win32' ? 'NUL' : devNull}`,
  'core.fsmonitor=false',
  'core.pager=cat',
  'core.quotePath=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'commit.gpgSign=false',
  'merge.verifySignatures=false',
  'protocol.ext.allow=never',
  'i18n.commitEncoding=UTF-8',
  'advice.detachedHead=false',
].flatMap((setting) => ['-c', setting]);

export function gitArguments(place: Place, args: readonly string[]): readonly string[] {
  return [...placeArguments(place), ...SETTINGS, ...args];
}

function placeArguments(place: Place): readonly string[] {
  if (typeof place === 'string') return ['-C', place];
  // A job may have replaced the .git file of its worktree.
  return ['-C', place.path, `--git-dir=${place.gitDir}`, `--work-tree=${place.path}`];
}

/** As people know it: the command without its options. */
export function commandName(args: readonly string[]): string {
  const words = args.filter((word) => !word.startsWith('--'));
  return words.slice(0, words[0] === 'worktree' ? 2 : 1).join(' ');
}
