import type { Place } from './git-arguments.ts';
import type { GitCall } from './git-call.ts';
import { type GitOptions, type GitOutput, spawnGit } from './git-process.ts';
import {
  type LocalConfiguration,
  localConfiguration,
  requirePermission,
} from './local-configuration.ts';
import { withoutCommands, withoutHooks } from './switched-off.ts';

export interface RunOptions extends GitOptions {
  /** It reads and removes names only: nothing but hooks could run. */
  readonly isAboutNames?: boolean;
  /** Submodules that git looks into by itself, with settings of their own. */
  readonly submodules?: readonly Place[];
}

/**
 * Runs git, after a look at what it would read in that very place: hooks are switched off by their
 * names, and other commands of the repository need the permission of whoever calls.
 */
export async function runGit(
  place: Place,
  args: readonly string[],
  call: GitCall,
  { isAboutNames = false, submodules = [], ...options }: RunOptions = {},
): Promise<GitOutput> {
  call.signal?.throwIfAborted();
  const configuration = await configurationOf([place, ...submodules], call);
  const { commands } = configuration;
  const isOff = call.permit === 'off';
  if (commands.length > 0 && !isAboutNames && !isOff) await requirePermission(commands, call);
  const off = isOff ? withoutCommands(configuration) : withoutHooks(configuration);
  return spawnGit(place, args, call, { ...options, env: { ...off, ...options.env } });
}

async function configurationOf(
  places: readonly Place[],
  call: GitCall,
): Promise<LocalConfiguration> {
  const all: LocalConfiguration[] = [];
  for (const place of places) all.push(await localConfiguration(place, call));
  return {
    commands: all.flatMap(({ commands }) => commands),
    hooks: [...new Set(all.flatMap(({ hooks }) => hooks))],
  };
}
