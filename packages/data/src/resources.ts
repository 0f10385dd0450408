import {
  escapeControls,
  type Resource,
  type ResourceContents,
  type ResourceTemplate,
} from '@baton/core';
import type { DataService } from './service.ts';

const MARKDOWN = 'text/markdown';

export const dataResources: readonly Resource<DataService>[] = [
  {
    uri: 'baton://data',
    name: 'data',
    title: 'What data there is',
    description: 'The categories of records, with how many there are.',
    mimeType: MARKDOWN,
    read: async (service) => markdown(await service.read(undefined)),
  },
];

export const dataTemplates: readonly ResourceTemplate<DataService>[] = [
  {
    uriTemplate: 'baton://data/{category}',
    name: 'data-category',
    title: 'A category of records',
    description: 'Its fields, values, relations and example queries.',
    mimeType: MARKDOWN,
    read: async (service, { category = '' }) => markdown(await service.read(category)),
    watch: (service, { category = '' }, changed) => service.watch(category, changed),
    complete: (service, _, typed) => service.idsBeginningWith(typed),
  },
];

function markdown(text: string): ResourceContents {
  // What people have written must not act on a terminal.
  return { mimeType: MARKDOWN, text: escapeControls(text) };
}
