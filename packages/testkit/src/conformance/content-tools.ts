import { BatonError, type Content, defineTool, type Tool } from '@baton/core';
import * as z from 'zod';
import { PIXEL, SILENCE } from '../samples.ts';
import { type Bench, base, textTool } from './text-tool.ts';

const IMAGE: Content = { type: 'image', mimeType: 'image/png', data: PIXEL };

function showing(name: string, description: string, content: readonly Content[]): Tool<Bench> {
  return defineTool({
    ...base,
    name,
    title: name,
    description,
    input: z.object({}),
    output: z.object({ parts: z.number() }),
    run: () => ({ parts: content.length }),
    content: () => content,
  });
}

const address = z
  .object({ street: z.string().optional(), city: z.string().optional() })
  .meta({ id: 'address', $anchor: 'addressDef' });

/** What of JSON Schema 2020-12 has to arrive at a client. */
const schema2020 = textTool({
  name: 'json_schema_2020_12_tool',
  description: 'Tool with JSON Schema 2020-12 features.',
  input: z
    .object({
      name: z.string().optional(),
      address: address.optional(),
      contactMethod: z.enum(['phone', 'email']).optional(),
      phone: z.string().optional(),
      email: z.string().optional(),
    })
    .meta({
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so
      then: { required: ['phone'] },
      else: { required: ['email'] },
    }),
  run: (_bench, { name = 'somebody' }) => ({ text: `Met ${name}.` }),
});

export const contentTools: readonly Tool<Bench>[] = [
  schema2020,
  textTool({
    name: 'test_simple_text',
    description: 'Returns simple text.',
    input: z.object({}),
    run: () => ({ text: 'This is a simple text response for testing.' }),
  }),
  showing('test_image_content', 'Returns an image.', [IMAGE]),
  showing('test_audio_content', 'Returns audio.', [
    { type: 'audio', mimeType: 'audio/wav', data: SILENCE },
  ]),
  showing('test_embedded_resource', 'Returns an embedded resource.', [
    {
      type: 'resource',
      uri: 'test://embedded-resource',
      mimeType: 'text/plain',
      text: 'This is an embedded resource content.',
    },
  ]),
  showing('test_multiple_content_types', 'Returns several kinds of content.', [
    { type: 'text', text: 'Multiple content types test:' },
    IMAGE,
    {
      type: 'resource',
      uri: 'test://mixed-content-resource',
      mimeType: 'application/json',
      text: '{"test":"data","value":123}',
    },
  ]),
  textTool({
    name: 'test_error_handling',
    description: 'Always fails.',
    input: z.object({}),
    run() {
      const message = 'This tool intentionally returns an error for testing';
      throw new BatonError('intended', message, 'Nothing to do.');
    },
  }),
];
