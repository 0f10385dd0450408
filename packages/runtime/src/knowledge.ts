import path from 'node:path';
import type { Baton, Ports, Workspace } from '@baton/core';
import type { KnowledgePorts, KnowledgeService, Source } from '@baton/knowledge';
import type { NamedFolder } from './named-folders.ts';

export interface KnowledgeSettings {
  readonly state: string;
  /** The user's own folder of configuration. */
  readonly userFolder: string;
  readonly knowledge: readonly NamedFolder[];
  readonly prompts: readonly NamedFolder[];
}

/** Connects knowledge with this process, on first use. */
export function connectKnowledge(settings: KnowledgeSettings) {
  return async ({ clock, log, changes, workspace }: Ports): Promise<KnowledgePorts> => {
    const { dataFolder, lazyTokenCount, loadThesaurus } = await import('@baton/knowledge/work');
    return {
      clock,
      log,
      changes,
      sources: sourcesOf(workspace, settings),
      cacheFolder: path.join(settings.state, 'knowledge'),
      thesaurus: loadThesaurus(dataFolder()),
      countTokens: lazyTokenCount(),
    };
  };
}

/** The workspace's own first, then what was named, then the user's. Prompts are workflows. */
function sourcesOf(
  { path: workspace, hasForeignFolder }: Workspace,
  { userFolder, knowledge, prompts }: KnowledgeSettings,
): Source[] {
  const usual = (folder: 'knowledge' | 'prompts', named: readonly NamedFolder[]): Source[] => [
    ...(hasForeignFolder
      ? []
      : [
          {
            name: `.baton/${folder}`,
            path: path.join(workspace, '.baton', folder),
            within: workspace,
          },
        ]),
    ...named.map((one) => ({ ...one, isNamed: true as const })),
    { name: `your ${folder}`, path: path.join(userFolder, folder) },
  ];
  return [
    ...usual('prompts', prompts).map((source) => ({ ...source, kind: 'workflow' as const })),
    ...usual('knowledge', knowledge),
  ];
}

/** The service behind the tool, for what people do with it and clients do not. */
export async function openKnowledge({ catalogue }: Baton): Promise<KnowledgeService> {
  return (await catalogue.tool('knowledge_search').service()) as KnowledgeService;
}
