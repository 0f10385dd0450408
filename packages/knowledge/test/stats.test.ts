import { expect, test } from 'vitest';
import { createKnowledge } from './knowledge-under-test.ts';
import { referenceCount } from './reference-count.ts';

test('statistics are counted, whatever files say of themselves', async () => {
  const bodies = ['# One\n\nText.\n', '# Two\n\nMore text, 文字.\n', 'Prompt $ARGUMENTS\n'];
  const [one = '', two = '', prompt = ''] = bodies;
  const files = {
    'agents/one.md': `---\nestimatedTokens: 5000\n---\n${one}`,
    'skills/two.md': two.replaceAll('\n', '\r\n'),
  };
  using knowledge = createKnowledge(files, { prompts: { 'p.md': prompt } });
  const [first = 0, second = 0, third = 0] = bodies.map(referenceCount);
  const { kinds, sources, ...all } = await knowledge.service.stats();
  expect(all).toEqual({
    pieces: 3,
    tokens: first + second + third,
    median: [first, second, third].toSorted((a, b) => a - b)[1],
    largest: Math.max(first, second, third),
  });
  expect(kinds.filter(({ pieces }) => pieces > 0)).toEqual([
    { kind: 'agent', pieces: 1, tokens: first },
    { kind: 'skill', pieces: 1, tokens: second },
    { kind: 'workflow', pieces: 1, tokens: third },
  ]);
  expect(sources.map(({ name, pieces }) => ({ name, pieces }))).toEqual([
    { name: 'prompts', pieces: 1 },
    { name: 'knowledge', pieces: 2 },
  ]);
});

test('no knowledge is counted as none', async () => {
  using knowledge = createKnowledge();
  const none = { pieces: 0, tokens: 0, median: 0, largest: 0 };
  expect(await knowledge.service.stats()).toMatchObject(none);
});
