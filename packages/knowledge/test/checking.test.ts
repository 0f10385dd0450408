import { cites } from '@baton/e2e/requirements';
import { expect, test } from 'vitest';
import { asking, createKnowledge, type Files } from './knowledge-under-test.ts';

/** `file:line:column: severity: message` of each problem. */
async function check(files: Files, prompts: Files = {}): Promise<string[]> {
  using knowledge = createKnowledge(files, { prompts });
  return (await knowledge.service.check()).map(
    ({ file, line, column, severity, message }) =>
      `${file}:${line}:${column}: ${severity}: ${message}`,
  );
}

test(`${cites('KNOWLEDGE-CHECK')} a collection in order has no problems`, async () => {
  const text = `# A

See orchestr8://guides/b, (baton://knowledge/guide/b) and baton://knowledge/guide/b.
Lists are at orchestr8://guides, and orchestr8://guides/match?query=x+y finds more.
Write baton://knowledge/{kind}/{id} or orchestr8://[category]/… for others.
`;
  const prompt = '---\narguments: [x]\n---\n{{x}}';
  expect(await check({ 'a.md': text, 'b.md': '# B' }, { 'p.md': prompt })).toEqual([]);
});

test(`${cites('KNOWLEDGE-CHECK')} links that lead nowhere and names that nobody gives, with their places`, async () => {
  const text = `---
title: A
---

# A

Read orchestr8://agents/_fragments/nobody, or **baton://knowledge/poem/x**.
`;
  const prompt = '---\r\narguments: [x]\r\n---\r\nname {{x}}\r\nThe {{ name }} of {{name}}\r\n';
  expect(await check({ 'a.md': text }, { 'p.md': prompt })).toEqual([
    'knowledge/a.md:7:6: warning: orchestr8://agents/_fragments/nobody leads nowhere.',
    'knowledge/a.md:7:49: warning: baton://knowledge/poem/x leads nowhere.',
    'prompts/p.md:5:5: warning: {{name}} stays as it is: no argument has this name.',
  ]);
});

test(`${cites('KNOWLEDGE-CHECK')} bad front matter, with its line, and the rest works`, async () => {
  const bad = '---\ntitle: Locks\ntags: [a\n---\n# Lock contention\n\nLocks.\n';
  const files = { 'bad.md': bad, 'good.md': '# Lock order\n\nLocks.\n', 'open.md': '---\nx: 1\n' };
  const problems = await check(files);
  expect(problems).toEqual([
    expect.stringMatching(/^knowledge\/bad\.md:[34]:\d+: warning: /),
    'knowledge/open.md:1:1: warning: The front matter has no end: a line --- must follow it.',
  ]);
  using knowledge = createKnowledge(files);
  const { pieces } = await knowledge.service.search(asking('locks'));
  expect(pieces.map(({ title }) => title).toSorted()).toEqual(['Lock order', 'Locks']);
});

test(`${cites('KNOWLEDGE-CHECK', 'T46')} files that are left out, each with its reason`, async () => {
  const problems = await check({
    'binary.md': Buffer.from('# A\n\nx\0y'),
    'latin.md': Buffer.from([0x23, 0x20, 0xe9]),
    'huge.md': '# Huge\n'.repeat(200_000),
    'a/same.md': '---\nid: same\n---\nOne.',
    'b/same.md': '---\nid: same\n---\nTwo.',
    'good.md': '# Good',
  });
  expect(problems).toEqual([
    expect.stringMatching(/^knowledge\/b\/same\.md:1:1: error: .*guide\/same/),
    'knowledge/binary.md:3:1: error: This is not a text: it holds a NUL byte.',
    'knowledge/huge.md:1:1: error: This is larger than 1 MiB: split it.',
    expect.stringMatching(/^knowledge\/latin\.md:1:1: error: This is not a text in UTF-8/),
  ]);
});

test('of many dead links the first are told', async () => {
  const problems = await check({ 'a.md': 'orchestr8://guides/none\n'.repeat(40_000) });
  expect(problems).toHaveLength(20);
});
