import { readFileSync, statSync } from 'node:fs';
import { BatonError } from '@baton/core';
import { parseSettings } from './parse-settings.ts';
import { type SettingName, type Settings, WORKSPACE_MAY } from './settings.ts';

const MAX_CONFIG_BYTES = 1024 * 1024;
const EMPTY = { value: {}, lineOf: () => 1 };

export interface ConfigFile {
  readonly file: string;
  readonly settings: Settings;
  /** The line on which a setting begins. */
  lineOf(name: string): number;
}

export interface WorkspaceConfig extends ConfigFile {
  /** What stands in it and is the user's alone. It has no effect, so its values are not looked at. */
  readonly refused: readonly SettingName[];
}

export async function readUserConfig(file: string): Promise<ConfigFile | undefined> {
  const read = await readYaml(file);
  return read && { file, lineOf: read.lineOf, settings: settingsIn(file, read.values) };
}

export async function readWorkspaceConfig(file: string): Promise<WorkspaceConfig | undefined> {
  const read = await readYaml(file);
  if (!read) return undefined;
  const { values, lineOf } = read;
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    return { file, lineOf, refused: [], settings: settingsIn(file, values) };
  const entries = Object.entries(values);
  return {
    file,
    lineOf,
    refused: entries.map(([name]) => name).filter(isUsersAlone),
    settings: settingsIn(file, Object.fromEntries(entries.filter(([name]) => !isUsersAlone(name)))),
  };
}

function isUsersAlone(name: string): name is SettingName {
  return Object.hasOwn(WORKSPACE_MAY, name) && WORKSPACE_MAY[name as SettingName] === 'nothing';
}

function settingsIn(file: string, values: unknown): Settings {
  return parseSettings(values, (name) => (name ? `${name} in ${file}` : `all of ${file}`));
}

async function readYaml(file: string) {
  const text = readText(file);
  if (text === undefined) return undefined;
  const { parsePlainYaml } = await import('@baton/documents/plain-yaml');
  try {
    const { value, lineOf } = (await parsePlainYaml(text)) ?? EMPTY;
    return { values: value, lineOf };
  } catch (cause) {
    throw unreadable(file, `is not valid YAML: ${(cause as Error).message}`, cause);
  }
}

function readText(file: string): string | undefined {
  try {
    const stat = statSync(file);
    // Looked at before it is opened: a repository could put a pipe or a device there.
    if (!stat.isFile()) throw unreadable(file, 'is not a regular file');
    if (stat.size > MAX_CONFIG_BYTES) throw unreadable(file, 'is larger than 1 MiB');
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if (cause instanceof BatonError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw unreadable(file, `cannot be read (${code})`, cause);
  }
}

function unreadable(file: string, what: string, cause?: unknown): BatonError {
  return new BatonError('config_unreadable', `${file} ${what}.`, 'Correct the file or remove it.', {
    cause,
  });
}
