import { devNull } from 'node:os';
import type { Environment } from '@baton/core';
import type { Repository, Worktree } from './places.ts';

/** A repository, or a checkout of it whatever its .git says now. */
export type Place = Repository | Worktree;

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

export function gitArguments(place: Place | string, args: readonly string[]): readonly string[] {
  return [...placeArguments(place), ...SETTINGS, ...args];
}

function placeArguments(place: Place | string): readonly string[] {
  if (typeof place === 'string') return ['-C', place];
  if ('root' in place) return ['-C', place.root];
  // A job may have replaced the .git file of its worktree, or set core.worktree.
  return ['-C', place.path, `--git-dir=${place.gitDir}`, `--work-tree=${place.path}`];
}

/** A job may have changed where its worktree says that the settings are. */
export function placeVariables(place: Place | string): Environment {
  const isLinked = typeof place === 'object' && 'path' in place && place.gitDir !== place.commonDir;
  return isLinked ? { GIT_COMMON_DIR: place.commonDir } : {};
}

/** As people know it: the command without its options. */
export function commandName(args: readonly string[]): string {
  const words = args.filter((word) => !word.startsWith('--'));
  return words.slice(0, words[0] === 'worktree' ? 2 : 1).join(' ');
}
