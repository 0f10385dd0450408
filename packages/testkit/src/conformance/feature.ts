import { defineFeature, type Resource } from '@baton/core';
import { PIXEL } from '../samples.ts';
import { askingTools } from './asking-tools.ts';
import { contentTools } from './content-tools.ts';
import { inputRequiredTools } from './input-required-tools.ts';
import { prompts } from './prompts.ts';
import { runningTools } from './running-tools.ts';
import type { Bench } from './text-tool.ts';

function text(uri: string, description: string, content: string): Resource<Bench> {
  const mimeType = 'text/plain';
  const name = uri.replace('test://', '');
  return {
    uri,
    name,
    title: name,
    description,
    mimeType,
    read: () => ({ mimeType, text: content }),
  };
}

/** What the public conformance suite expects of a server, by the names it has given to it all. */
export const conformanceFeature = defineFeature<Bench>({
  id: 'conformance',
  instructions: 'These tools exist for the MCP conformance suite.',
  tools: [...contentTools, ...runningTools, ...askingTools, ...inputRequiredTools],
  resources: [
    text('test://static-text', 'A text.', 'This is the content of the static text resource.'),
    text('test://watched-resource', 'A text to subscribe to.', 'Watched resource content.'),
    {
      uri: 'test://static-binary',
      name: 'static-binary',
      title: 'static-binary',
      description: 'A picture.',
      mimeType: 'image/png',
      read: () => ({ mimeType: 'image/png', blob: PIXEL }),
    },
  ],
  resourceTemplates: [
    {
      uriTemplate: 'test://template/{id}/data',
      name: 'template',
      title: 'template',
      description: 'Data by id.',
      mimeType: 'application/json',
      read: (_bench, { id }) => ({
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      }),
    },
  ],
  prompts,
  create: (ports) => ({ ports }),
});
