import path from 'node:path';
import type { Settings } from './settings.ts';
import { homeDirectory } from './state-directory.ts';

/** A folder that somebody has named in a setting. */
export interface NamedFolder {
  /** As it was written. */
  readonly name: string;
  readonly path: string;
  /** A repository's file may name folders of its own only. */
  readonly within?: string;
}

interface Given {
  readonly user: Settings | undefined;
  readonly workspace: Settings | undefined;
  readonly env: Settings;
}

/** Folders of all settings together: each adds to the others. The workspace's own come first. */
export function foldersIn(
  setting: 'knowledge' | 'prompts' | 'data',
  { user, workspace, env }: Given,
  places: { readonly workspace: string; readonly userFile: string },
): NamedFolder[] {
  const named = (settings: Settings | undefined, base: string) =>
    (settings?.[setting] ?? [])
      .map((name) => name.trim())
      .filter(Boolean)
      .map((name) => ({ name, path: path.resolve(base, fromHome(name)) }));
  return [
    ...named(workspace, places.workspace).map((one) => ({ ...one, within: places.workspace })),
    ...named(env, process.cwd()),
    ...named(user, path.dirname(places.userFile)),
  ];
}

function fromHome(name: string): string {
  return /^~(?=$|[\\/])/.test(name) ? path.join(homeDirectory(), name.slice(1)) : name;
}
