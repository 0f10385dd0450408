import { expect, test } from 'vitest';
import * as z from 'zod';
import { AnswersNeeded, type AskedBefore, createAsking } from '../src/asking.ts';
import { type Asking, type CallContext, CannotAsk, renderPrompt } from '../src/index.ts';

const ALL = { ask: true, sample: true, roots: true };
const NAME = z.object({ name: z.string() });
const REQUESTS = {
  who: { kind: 'ask', message: 'Who?', schema: NAME },
  idea: { kind: 'sample', messages: [], maxTokens: 5 },
  places: { kind: 'roots' },
} as const;
const ANSWERS = {
  who: { name: 'Ada' },
  idea: { role: 'assistant', model: 'm', content: { type: 'text', text: 'a bridge' } },
  places: [{ uri: 'file:///src', name: 'src' }],
};

function askAll(before: AskedBefore) {
  return createAsking('try_it', before).askAll(REQUESTS);
}

/** The keys that are asked for with these answers. */
function asked(before: AskedBefore): string[] {
  try {
    askAll(before);
    return [];
  } catch (error) {
    if (error instanceof AnswersNeeded) return Object.keys(error.requests);
    throw error;
  }
}

test('everything is asked for at once, and answers come back by key', () => {
  expect(asked({ can: ALL })).toEqual(['who', 'idea', 'places']);
  const { who, idea, places } = askAll({ can: ALL, answers: ANSWERS });
  expect(who?.name).toBe('Ada');
  expect(idea).toEqual({ model: 'm', content: [{ type: 'text', text: 'a bridge' }] });
  expect(places).toEqual([{ uri: 'file:///src', name: 'src' }]);
});

test('what is missing or makes no sense is asked for again, and only that', () => {
  const with_ = (more: object) => asked({ can: ALL, answers: { ...ANSWERS, ...more } });
  expect(with_({ idea: undefined })).toEqual(['idea']);
  expect(with_({ who: { name: 5 }, places: 'everywhere' })).toEqual(['who', 'places']);
  expect(with_({ idea: { model: 'm', content: { type: 'video' } } })).toEqual(['idea']);
  expect(with_({ idea: null, places: null })).toEqual(['idea', 'places']);
  expect(with_({ who: ANSWERS.places, places: ANSWERS.who })).toEqual(['who', 'places']);
});

test('a model may answer in several parts', () => {
  const content = [
    { type: 'text', text: 'look' },
    { type: 'image', mimeType: 'image/png', data: 'AAAA' },
  ];
  const answers = { ...ANSWERS, idea: { model: 'm', content } };
  expect(askAll({ can: ALL, answers }).idea.content).toEqual(content);
});

test('a person may decline', () => {
  expect(askAll({ can: ALL, answers: { ...ANSWERS, who: null } }).who).toBeUndefined();
});

test('keys of prototypes are no answers', () => {
  const { ask } = createAsking('try_it', { can: ALL });
  expect(() => ask({ key: 'constructor', message: '?', schema: z.object({}) })).toThrow(
    AnswersNeeded,
  );
});

test('a client that cannot answer is told everything that it lacks', () => {
  expect.assertions(4);
  try {
    askAll({ can: { ...ALL, ask: false, roots: false } });
  } catch (error) {
    expect(error).toBeInstanceOf(CannotAsk);
    const { missing, message, next } = error as CannotAsk;
    expect(missing).toEqual(['ask', 'roots']);
    expect(message).toContain('cannot show it: Who?');
    expect(next).toContain('elicitation and roots');
  }
});

test('what has been answered needs no ability any more', () => {
  expect(askAll({ answers: ANSWERS }).who?.name).toBe('Ada');
});

test('a prompt may ask, and its texts are escaped', async () => {
  const item = {
    name: 'hello',
    title: 'Hello',
    description: 'Says hello.',
    arguments: [],
    render: (_service: unknown, _values: unknown, { ask }: Asking) =>
      `Hello ${ask({ key: 'who', message: 'Who?', schema: NAME })?.name}\u001b`,
  };
  const render = (more: Partial<CallContext>) =>
    renderPrompt({ item, service: () => undefined }, {}, { signal: AbortSignal.abort(), ...more });
  expect(await render({ can: ALL })).toMatchObject({ kind: 'question', requests: { who: {} } });
  expect(await render({ can: ALL, answers: ANSWERS })).toEqual({
    kind: 'messages',
    messages: [{ role: 'user', content: { type: 'text', text: 'Hello Ada\\u001b' } }],
  });
  await expect(render({})).rejects.toThrow(CannotAsk);
});
