import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import { BatonError } from '@baton/core';

const PLACES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['Library', 'Application Support', 'baton'],
  win32: ['AppData', 'Local', 'baton'],
};

/**
 * Where the database, the logs and the worktrees live. Found from the home directory and
 * never from XDG variables: some clients strip them, and two processes must not see two states.
 */
export function stateDirectory(override?: string): string {
  if (override) return path.resolve(override);
  return path.join(homeDirectory(), ...(PLACES[process.platform] ?? ['.local', 'state', 'baton']));
}

/** The one database of the user, in the state directory. */
export function storeFile(state: string): string {
  return path.join(state, 'baton.db');
}

/** The user's own configuration, below every workspace's. */
export function userConfigFile(): string {
  return path.join(userConfigDirectory(), 'config.yaml');
}

/** The token that lasts, if the user has made one. */
export function userTokenFile(): string {
  return path.join(userConfigDirectory(), 'token');
}

/** The user's own configuration, knowledge and prompts. */
export function userConfigDirectory(): string {
  const place = process.platform === 'win32' ? ['AppData', 'Roaming'] : ['.config'];
  return path.join(homeDirectory(), ...place, 'baton');
}

/**
 * The home directory that the environment names, or else the account's. One that is empty or
 * relative would be another one in each folder, and leave a state in repositories.
 */
export function homeDirectory(
  sources: readonly (() => string)[] = [homedir, () => userInfo().homedir],
): string {
  for (const find of sources) {
    const home = absolute(find);
    if (home !== undefined) return home;
  }
  throw new BatonError(
    'home_missing',
    'Nothing says where the home directory of this user is.',
    `Set ${process.platform === 'win32' ? 'USERPROFILE' : 'HOME'} to it, as an absolute path.`,
  );
}

function absolute(find: () => string): string | undefined {
  try {
    const home = find();
    return path.isAbsolute(home) ? home : undefined;
  } catch {
    return undefined; // Containers run as users without an account.
  }
}
