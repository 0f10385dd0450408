import { leadsOutOf, whereLeads } from '@baton/folders/files';
import type { WorkspaceConfig } from './config-file.ts';
import type { NamedFolder } from './named-folders.ts';
import { narrow } from './narrow.ts';
import type { Settings } from './settings.ts';

interface Allowed {
  readonly user: Settings;
  readonly folders: Readonly<Record<string, readonly NamedFolder[]>>;
  readonly userFile: string;
}

/** What a workspace's file asks for and does not get, in one warning; and if it leaves nothing. */
export function refusalsOf(
  { file, settings, refused, lineOf }: WorkspaceConfig,
  { user, folders, userFile }: Allowed,
): string[] {
  const outside = Object.keys(folders).filter((name) => folders[name]?.some(isOutside));
  const ignored = [
    ...refused.map((name) => `${file}:${lineOf(name)} (${name})`),
    ...outside.map((name) => `${file}:${lineOf(name)} (${name} outside of the workspace)`),
  ];
  const hasNoToolset = user.toolsets?.length && narrow(user, settings).toolsets?.length === 0;
  return [
    ...(ignored.length > 0
      ? [
          `Ignored: ${ignored.join(', ')}. A workspace can only narrow what you allow; set this in ${userFile}.`,
        ]
      : []),
    ...(hasNoToolset
      ? [`${file}:${lineOf('toolsets')} (toolsets) names none of yours, so that none is left.`]
      : []),
  ];
}

/** Folders that a workspace's file names are read only inside of it. */
function isOutside({ path: folder, within }: NamedFolder): boolean {
  return within !== undefined && leadsOutOf(within, whereLeads(folder));
}
