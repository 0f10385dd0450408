import type { Prompt } from '@baton/core';
import * as z from 'zod';
import { PIXEL } from '../samples.ts';
import type { Bench } from './text-tool.ts';

function argument(name: string, description: string) {
  return { name, description, required: true };
}

export const prompts: readonly Prompt<Bench>[] = [
  {
    name: 'test_simple_prompt',
    title: 'Simple',
    description: 'A simple prompt.',
    arguments: [],
    render: () => 'This is a simple prompt for testing.',
  },
  {
    name: 'test_prompt_with_arguments',
    title: 'With arguments',
    description: 'A prompt with two arguments.',
    arguments: [argument('arg1', 'First test argument'), argument('arg2', 'Second test argument')],
    complete: (_bench, _argument, typed) =>
      ['test', 'testing'].filter((word) => word.startsWith(typed)),
    render: (_bench, { arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  },
  {
    name: 'test_prompt_with_embedded_resource',
    title: 'With a resource',
    description: 'A prompt with an embedded resource.',
    arguments: [argument('resourceUri', 'URI of the resource to embed')],
    render: (_bench, { resourceUri = '' }) => [
      {
        role: 'user',
        content: {
          type: 'resource',
          uri: resourceUri,
          mimeType: 'text/plain',
          text: 'Embedded resource content for testing.',
        },
      },
      {
        role: 'user',
        content: { type: 'text', text: 'Please process the embedded resource above.' },
      },
    ],
  },
  {
    name: 'test_prompt_with_image',
    title: 'With an image',
    description: 'A prompt with an image.',
    arguments: [],
    render: () => [
      { role: 'user', content: { type: 'image', mimeType: 'image/png', data: PIXEL } },
      { role: 'user', content: { type: 'text', text: 'Please analyze the image above.' } },
    ],
  },
  {
    name: 'test_input_required_result_prompt',
    title: 'With a question',
    description: 'A prompt that asks for its context.',
    arguments: [],
    render(_bench, _values, { ask }) {
      const answer = ask({
        key: 'user_context',
        message: 'What context should the prompt use?',
        schema: z.object({ context: z.string() }),
      });
      return `Use this context: ${answer?.context ?? 'none'}`;
    },
  },
];
