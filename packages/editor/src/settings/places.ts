import path from 'node:path';

const FOLDERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['Library', 'Application Support'],
  win32: ['AppData', 'Roaming'],
};

/**
 * Where VS Code keeps the user's settings. Found from the home directory alone: a variable of the
 * environment could lead to a file that nobody means.
 */
export function userSettingsFile(home: string, platform: NodeJS.Platform): string {
  const { join } = platform === 'win32' ? path.win32 : path.posix;
  return join(home, ...(FOLDERS[platform] ?? ['.config']), 'Code', 'User', 'settings.json');
}
