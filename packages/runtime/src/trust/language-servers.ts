import { BatonError, type CommandFile, type CommandSource, type Workspace } from '@baton/core';
import type { NamedServers } from '@baton/editor/named-servers';
import { readWorkspaceFile } from '../workspace-file.ts';

const SOURCE = '.baton/config.yaml';

/** Language servers that a workspace's config.yaml names: programs that its repository chooses. */
export const languageServerCommands: CommandFile = {
  reads: (file) => file === SOURCE,
  async find(text) {
    const { commandsOfServers } = await import('@baton/editor/named-servers');
    return { commands: commandsOfServers(await serversIn(text)) };
  },
};

/** What is returned together is what a person approves and what runs. */
export async function workspaceServers({
  path: workspace,
  hasForeignFolder,
}: Workspace): Promise<{ servers: NamedServers; source: CommandSource } | undefined> {
  const text = hasForeignFolder ? undefined : textOf(workspace);
  if (text === undefined) return undefined;
  const servers = await serversIn(text);
  if (Object.keys(servers).length === 0) return undefined;
  const { commandsOfServers } = await import('@baton/editor/named-servers');
  return { servers, source: { workspace, source: SOURCE, commands: commandsOfServers(servers) } };
}

function textOf(workspace: string): string | undefined {
  try {
    return readWorkspaceFile(workspace, SOURCE).text;
  } catch (error) {
    if (error instanceof BatonError && error.code === 'file_unusable') return undefined;
    throw error;
  }
}

async function serversIn(text: string): Promise<NamedServers> {
  const [{ parsePlainYaml }, { namedServersSchema }] = await Promise.all([
    import('@baton/documents/plain-yaml'),
    import('@baton/editor/named-servers'),
  ]);
  const { languageServers = {} } = ((await parsePlainYaml(text))?.value ?? {}) as {
    languageServers?: unknown;
  };
  return namedServersSchema().parse(languageServers);
}
