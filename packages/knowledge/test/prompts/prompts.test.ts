import { cites } from '@baton/e2e/requirements';
import { expect, test, vi } from 'vitest';
import { createKnowledge, type KnowledgeUnderTest } from '../knowledge-under-test.ts';

const REVIEW = `---
title: Review a change
description: Reviews what has changed.
arguments:
  - name: branch
    description: What to review
    required: true
  - name: depth
    default: quick
    values: [quick, Thorough]
---
Review {{branch}} ({{depth}}), as {{unknown}}.
`;

async function prompt({ service }: KnowledgeUnderTest, name: string) {
  const found = (await service.prompts()).find((one) => one.name === name);
  if (!found) throw new Error(`there is no prompt ${name}`);
  const { arguments: taken, title, description } = found;
  return {
    ...{ taken, title, description },
    render: (values: Record<string, string>) => found.render(service, values, {} as never),
    complete: (argument: string, typed: string) => found.complete?.(service, argument, typed),
  };
}

test(`${cites('KNOWLEDGE-PROMPTS')} files of prompts are prompts, with arguments`, async () => {
  using knowledge = createKnowledge({}, { prompts: { 'review.md': REVIEW } });
  const { render, complete, ...about } = await prompt(knowledge, 'review');
  expect(about).toEqual({
    title: 'Review a change',
    description: 'Reviews what has changed.',
    taken: [
      { name: 'branch', description: 'What to review', required: true },
      { name: 'depth', description: '(one of quick, Thorough; default: quick)', required: false },
    ],
  });
  expect(render({ branch: '$& {{depth}}' })).toBe('Review $& {{depth}} (quick), as {{unknown}}.\n');
  expect(complete('depth', 'T')).toEqual(['Thorough']);
  expect(complete('depth', 't')).toEqual(['Thorough']);
  expect(complete('depth', '')).toEqual(['quick', 'Thorough']);
  expect(complete('branch', '')).toEqual([]);
  expect(complete('__proto__', '')).toEqual([]);
});

test(`${cites('KNOWLEDGE-PROMPTS')} workflows are prompts, and nothing else is`, async () => {
  using knowledge = createKnowledge({
    'workflows/deep/release.md': '# Release\n\nRelease $ARGUMENTS.\n',
    'commands/fix.md': 'Fix it.',
    'agents/a.md': 'You are an agent. $ARGUMENTS',
  });
  const prompts = await knowledge.service.prompts();
  expect(prompts.map(({ name }) => name).toSorted()).toEqual(['commands-fix', 'deep-release']);
  const { render, taken } = await prompt(knowledge, 'deep-release');
  expect(taken.map(({ name }) => name)).toEqual(['arguments']);
  expect(render({ arguments: '1.0' })).toBe('# Release\n\nRelease 1.0.\n');
});

test(`${cites('T14')} what acts on a terminal does so in no list and no text`, async () => {
  const hostile =
    '---\ntitle: "a\\u001b[2Jb\\nc"\narguments: [{name: a, description: "\\u202e"}]\n---\n';
  using knowledge = createKnowledge({}, { prompts: { 'a.md': `${hostile}\u001b[2J{{a}}` } });
  const { render, title, taken } = await prompt(knowledge, 'a');
  expect(title).toBe('a\\u001b[2Jb c');
  expect(taken[0]?.description).toBe('\\u202e');
  expect(render({ a: 'x' })).toBe('\\u001b[2Jx');
});

test(`${cites('KNOWLEDGE-PROMPTS')} a change of the list is told, and one of a text is there at once`, async () => {
  using knowledge = createKnowledge({}, { prompts: { 'review.md': REVIEW } });
  await knowledge.service.prompts();
  const told = () => knowledge.changes.filter(({ kind }) => kind === 'prompts').length;
  knowledge.write({ 'prompts/review.md': REVIEW.replace('Review {{', 'Look at {{') });
  knowledge.write({ 'prompts/new.md': 'New.' });
  await vi.waitFor(() => expect(told()).toBe(1));
  expect((await prompt(knowledge, 'review')).render({ branch: 'x' })).toContain('Look at x');
  knowledge.remove('prompts/new.md');
  await vi.waitFor(() => expect(told()).toBe(2));
  const names = (await knowledge.service.prompts()).map(({ name }) => name);
  expect(names).toEqual(['review']);
});

test(`${cites('KNOWLEDGE-PROMPTS')} a prompt whose file has gone says so`, async () => {
  using knowledge = createKnowledge({}, { prompts: { 'review.md': REVIEW } });
  const { render } = await prompt(knowledge, 'review');
  knowledge.remove('prompts/review.md');
  expect(() => render({})).toThrow(expect.objectContaining({ code: 'knowledge_gone' }));
});
