import { contentText, type Tool } from '@baton/core';
import * as z from 'zod';
import { form, NAME, sampling } from './requests.ts';
import { type Bench, textTool } from './text-tool.ts';

/** A choice whose values have titles: `oneOf` for one of them, `anyOf` in the items of a list. */
function titled(keyword: 'anyOf' | 'oneOf', titles: Readonly<Record<string, string>>) {
  const options = Object.entries(titles).map(([value, title]) => ({ const: value, title }));
  return z
    .string()
    .refine((value) => Object.hasOwn(titles, value))
    .meta({ [keyword]: options });
}

const DEFAULTS = z.object({
  name: z.string().default('John Doe'),
  age: z.int().default(30),
  score: z.number().default(95.5),
  status: z.enum(['active', 'inactive', 'pending']).default('active'),
  verified: z.boolean().default(true),
});

const OPTIONS = z.enum(['option1', 'option2', 'option3']);
const ENUMS = z.object({
  untitledSingle: OPTIONS,
  titledSingle: titled('oneOf', { value1: 'First Option', value2: 'Second Option' }),
  legacyEnum: z
    .enum(['opt1', 'opt2', 'opt3'])
    .meta({ enumNames: ['Option One', 'Option Two', 'Option Three'] }),
  untitledMulti: z.array(OPTIONS),
  titledMulti: z.array(titled('anyOf', { value1: 'First Choice', value2: 'Second Choice' })),
});

function eliciting(name: string, description: string, schema: z.ZodObject): Tool<Bench> {
  return textTool({
    name,
    description,
    input: z.object({}),
    run(_bench, _input, { ask }) {
      const content = ask({ key: 'answer', message: 'Please review the form.', schema });
      const action = content ? 'accept' : 'decline';
      return {
        text: `Elicitation completed: action=${action}, content=${JSON.stringify(content)}`,
      };
    },
  });
}

/** Asks the client's model; the suite also calls it with a client that has none. */
function samplingTool(name: string, description: string): Tool<Bench> {
  return textTool({
    name,
    description,
    input: z.object({ prompt: z.string().optional() }),
    run(_bench, { prompt = 'Say something.' }, { askAll }) {
      const { reply } = askAll({ reply: sampling(prompt) });
      return { text: `LLM response: ${contentText(reply.content)}` };
    },
  });
}

export const askingTools: readonly Tool<Bench>[] = [
  textTool({
    name: 'test_elicitation',
    description: 'Asks the person for a name and an address.',
    input: z.object({ message: z.string() }),
    run(_bench, { message }, { ask }) {
      const schema = z.object({
        username: z.string().describe("User's response"),
        email: z.string().describe("User's email address"),
      });
      const answer = ask({ key: 'user', message, schema });
      return { text: `User response: ${answer ? JSON.stringify(answer) : 'declined'}` };
    },
  }),
  eliciting('test_elicitation_sep1034_defaults', 'Asks with defaults.', DEFAULTS),
  eliciting('test_elicitation_sep1330_enums', 'Asks with choices.', ENUMS),
  samplingTool('test_missing_capability', 'Needs the model of the client.'),
  samplingTool('test_sampling', 'Asks the model of the client.'),
  textTool({
    name: 'test_streaming_elicitation',
    description: 'Reports progress and asks.',
    input: z.object({}),
    run(_bench, _input, { progress, askAll }) {
      progress({ progress: 1, total: 2 });
      const { who } = askAll({ who: form('Who are you?', NAME) });
      return { text: `Hello, ${who?.name ?? 'stranger'}!` };
    },
  }),
];
