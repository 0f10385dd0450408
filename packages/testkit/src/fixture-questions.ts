import { contentText, defineTool, type Prompt } from '@baton/core';
import * as z from 'zod';
import { base, type Fixtures } from './fixture-base.ts';

export const confirm = defineTool({
  ...base,
  name: 'confirm',
  title: 'Confirm',
  description: 'Asks the person two questions, one after the other.',
  input: z.object({ subject: z.string() }),
  output: z.object({ outcome: z.string() }),
  run(_fixtures: Fixtures, { subject }, { ask }) {
    const sure = ask({
      key: 'sure',
      message: `Really ${subject}?`,
      schema: z.object({ yes: z.boolean() }),
    });
    if (!sure?.yes) return { outcome: 'declined' };
    const reason = ask({ key: 'why', message: 'Why?', schema: z.object({ reason: z.string() }) });
    return { outcome: `confirmed because ${reason?.reason}` };
  },
});

export const consult = defineTool({
  ...base,
  name: 'consult',
  title: 'Consult',
  description: 'Asks the person, the model and the client at once.',
  input: z.object({}),
  output: z.object({
    name: z.string(),
    idea: z.string(),
    places: z.array(z.string()),
  }),
  run(_fixtures: Fixtures, _input, { askAll }) {
    const { who, idea, places } = askAll({
      who: { kind: 'ask', message: 'Who are you?', schema: z.object({ name: z.string() }) },
      idea: {
        kind: 'sample',
        messages: [{ role: 'user', content: { type: 'text', text: 'Have an idea.' } }],
        maxTokens: 50,
        systemPrompt: 'Be brief.',
      },
      places: { kind: 'roots' },
    });
    return {
      name: who?.name ?? 'nobody',
      idea: contentText(idea.content),
      places: places.map(({ uri }) => uri),
    };
  },
});

export const interview: Prompt<Fixtures> = {
  name: 'interview',
  title: 'Interview',
  description: 'Asks for a topic and starts a conversation about it.',
  arguments: [],
  render(_fixtures, _values, { ask }) {
    const about = ask({
      key: 'about',
      message: 'What about?',
      schema: z.object({ topic: z.string() }),
    });
    const text = about ? `Ask me about ${about.topic}.` : 'Ask me anything.';
    return [
      { role: 'user', content: { type: 'text', text } },
      { role: 'assistant', content: { type: 'text', text: 'What shall I ask first?' } },
      {
        role: 'user',
        content: { type: 'resource', uri: 'fixture://topic', mimeType: 'text/plain', text },
      },
    ];
  },
};
