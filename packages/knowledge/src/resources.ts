import {
  escapeControls,
  type Resource,
  type ResourceContents,
  type ResourceTemplate,
} from '@baton/core';
import { KINDS } from './reading/piece.ts';
import { MODES } from './request.ts';
import type { KnowledgeService } from './service.ts';
import { readOldUri, readUri, type Wanted } from './uris.ts';

const MARKDOWN = 'text/markdown';
const OVERVIEW = 'baton://knowledge';

export const knowledgeResources: readonly Resource<KnowledgeService>[] = [
  {
    uri: OVERVIEW,
    name: 'knowledge',
    title: 'What knowledge there is',
    description: 'How many pieces of which kinds there are, and from where.',
    mimeType: MARKDOWN,
    read: async (service) => markdown((await service.read({ type: 'overview' })) ?? ''),
  },
];

/** A template whose URIs are read by ourselves: parameters come in any order and number. */
function template(
  about: Pick<ResourceTemplate, 'uriTemplate' | 'name' | 'title' | 'description' | 'isHidden'>,
  read: (uri: string) => Wanted | undefined,
): ResourceTemplate<KnowledgeService> {
  return {
    ...about,
    mimeType: MARKDOWN,
    match: (uri) => (read(uri) ? { uri } : undefined),
    async read(service, { uri = '' }) {
      const wanted = read(uri);
      const text = wanted && (await service.read(wanted));
      return text === undefined ? undefined : markdown(text);
    },
    async watch(service, { uri = '' }, changed) {
      const wanted = read(uri);
      return wanted ? service.watch(wanted, changed) : () => {};
    },
    async complete(service, variable, typed) {
      if (variable === 'kind' || variable === 'kinds')
        return KINDS.filter((kind) => kind.startsWith(typed));
      if (variable === 'mode') return MODES.filter((mode) => mode.startsWith(typed));
      return variable === 'id' ? service.idsBeginningWith(typed) : [];
    },
  };
}

function only(type: Wanted['type'], read: (uri: string) => Wanted | undefined) {
  return (uri: string) => {
    const wanted = read(uri);
    return wanted?.type === type ? wanted : undefined;
  };
}

export const knowledgeTemplates: readonly ResourceTemplate<KnowledgeService>[] = [
  template(
    {
      uriTemplate: 'baton://knowledge/{kind}/{id}',
      name: 'knowledge-piece',
      title: 'A piece of knowledge',
      description: 'The whole text of a piece.',
    },
    only('piece', readUri),
  ),
  template(
    {
      uriTemplate: 'baton://knowledge/match{?query,mode,maxTokens,kinds,tags,minScore,maxResults}',
      name: 'knowledge-match',
      title: 'Knowledge that fits',
      description: 'The best pieces for a query, within maxTokens.',
    },
    only('match', readUri),
  ),
  template(
    {
      uriTemplate: 'baton://knowledge/{kind}',
      name: 'knowledge-kind',
      title: 'Knowledge of a kind',
      description: 'A list of all pieces of a kind.',
    },
    only('kind', readUri),
  ),
  template(
    {
      uriTemplate: 'orchestr8://{+place}',
      name: 'orchestr8',
      title: 'Knowledge by its old URIs',
      description: 'The URIs of orchestr8.',
      isHidden: true,
    },
    readOldUri,
  ),
];

function markdown(text: string): ResourceContents {
  // What people have written must not act on a terminal.
  return { mimeType: MARKDOWN, text: escapeControls(text) };
}
