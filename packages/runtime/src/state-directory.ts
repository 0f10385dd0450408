import { homedir } from 'node:os';
import path from 'node:path';

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
  return path.join(homedir(), ...(PLACES[process.platform] ?? ['.local', 'state', 'baton']));
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
  return path.join(homedir(), ...place, 'baton');
}
