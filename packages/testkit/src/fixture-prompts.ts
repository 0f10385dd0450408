import { defineTool, type Prompt } from '@baton/core';
import * as z from 'zod';
import { base, type Fixtures } from './fixture-base.ts';

const argument = z.object({
  name: z.string(),
  description: z.string().default(''),
  required: z.boolean().default(false),
});

/** Stands for a file that a prompt is found in. */
export const promptSet = defineTool({
  ...base,
  name: 'prompt_set',
  title: 'Set a prompt',
  description: 'Adds, changes or, without a text, removes a prompt, and announces it.',
  input: z.object({
    name: z.string(),
    text: z.string().optional(),
    description: z.string().default(''),
    arguments: z.array(argument).default([]),
  }),
  output: z.object({ prompts: z.array(z.string()) }),
  run({ ports, prompts }: Fixtures, { name, text, description, arguments: taken }) {
    if (text === undefined) prompts.delete(name);
    else prompts.set(name, foundPrompt(name, description, taken, text));
    ports.changes.publish({ kind: 'prompts' });
    return { prompts: [...prompts.keys()] };
  },
});

/** Shows its text, and of its values what it sees by looking them up. */
function foundPrompt(
  name: string,
  description: string,
  taken: Prompt['arguments'],
  text: string,
): Prompt<Fixtures> {
  return {
    name,
    title: name,
    description,
    arguments: taken,
    complete: (_fixtures, _argument, typed) => [`${typed}${text}`],
    render: (_fixtures, values) =>
      [text, ...taken.map((each) => `${each.name}=${values[each.name]}`)].join(' '),
  };
}
