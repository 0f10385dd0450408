import { cites } from '@baton/e2e/requirements';
import { expect, test } from 'vitest';
import { createKnowledge, type KnowledgeUnderTest } from './knowledge-under-test.ts';
import { knowledgeResources, knowledgeTemplates } from './parts-under-test.ts';
import { referenceCount } from './reference-count.ts';

const CORE =
  '---\nid: typescript-core\ncategory: agent\nestimatedTokens: 9\n---\n# TypeScript Core\n\nTypes.\n';
const FILES = {
  'agents/_fragments/typescript-core.md': CORE,
  'skills/testing.md': '---\ntags: [types]\n---\n# Testing of types\n\nTest types in TypeScript.\n',
  'skills/分页.md': '# 分页\n\nPages.\n',
};

/** What the first template that a URI fits reads, as the protocol's handler does. */
async function read({ service }: KnowledgeUnderTest, uri: string): Promise<string | undefined> {
  for (const template of knowledgeTemplates) {
    const variables = template.match?.(uri);
    if (!variables) continue;
    const contents = await template.read(service, variables, new AbortController().signal);
    if (contents) expect(contents.mimeType).toBe('text/markdown');
    return contents && 'text' in contents ? contents.text : undefined;
  }
  return undefined;
}

test.each([
  'orchestr8://agents/_fragments/typescript-core',
  'orchestr8://agents/typescript-core',
  '@orchestr8://agents/typescript-core',
  'baton://knowledge/agent/typescript-core',
  'baton://knowledge/agents/typescript-core',
])(`${cites('KNOWLEDGE-URIS', 'KNOWLEDGE-OLD-URIS')} %s is the whole piece`, async (uri) => {
  using knowledge = createKnowledge(FILES);
  expect(await read(knowledge, uri)).toBe('# TypeScript Core\n\nTypes.\n');
});

test(`${cites('KNOWLEDGE-URIS', 'KNOWLEDGE-OLD-URIS', 'T14')} matches are contents with their origin, or lists`, async () => {
  using knowledge = createKnowledge(FILES);
  const found = await read(knowledge, 'orchestr8://agents/match?query=typescript+types');
  const file = 'knowledge/agents/_fragments/typescript-core.md';
  expect(found).toMatch(
    /^<!-- agent\/typescript-core, score \d+, 7 tokens, from [^\n]+ -->\n# TypeScript Core\n\nTypes\.$/,
  );
  expect(found).toContain(`from ${file} -->`);
  const query =
    'query=typescript%20types&categories=agent,skill&tags=types&maxTokens=500&mode=index';
  expect(await read(knowledge, `orchestr8://match?${query}`)).toMatch(
    /^<!-- knowledge files, in their authors' words -->\n- skill\/testing: Testing of types \(\d+ tokens, score \d+\)$/,
  );
  const nothing = await read(knowledge, 'baton://knowledge/match?query=bake+sourdough+bread');
  expect(nothing).toContain('Nothing here fits');
});

test(`${cites('T14')} no file can end the comment that tells its origin, or hide the next one`, async () => {
  using knowledge = createKnowledge({
    'a--->b/x.md': '---\nid: one\n---\n# Types one\n\n```\nleft open\n',
    'b.md': '# Types two\n\nTypes.\n',
  });
  const text = (await read(knowledge, 'baton://knowledge/match?query=types')) ?? '';
  expect(text).toMatch(/<!-- guide\/one, score \d+, \d+ tokens, from knowledge\/a->b\/x\.md -->\n/);
  expect(text.match(/-->/g)).toHaveLength(2);
  const [first = ''] = text.split('<!-- guide/b').filter((part) => part.includes('left open'));
  expect(first.match(/```/g)).toHaveLength(2);
});

test(`${cites('KNOWLEDGE-URIS')} an overview and lists, whose URIs can be read`, async () => {
  using knowledge = createKnowledge(FILES);
  const [overview] = knowledgeResources;
  const contents = await overview?.read(knowledge.service, new AbortController().signal);
  expect(contents).toMatchObject({ text: expect.stringContaining('3 pieces, ') });
  expect(contents).toMatchObject({ text: expect.stringContaining('- skill: 2\n') });
  const list = (await read(knowledge, 'orchestr8://skills')) ?? '';
  const uris = list.match(/baton:\S+/g) ?? [];
  expect(uris).toEqual([
    'baton://knowledge/skill/testing',
    'baton://knowledge/skill/%E5%88%86%E9%A1%B5',
  ]);
  for (const uri of uris) expect(await read(knowledge, uri)).toMatch(/^# /);
});

test(`${cites('KNOWLEDGE-URIS')} a list stays small however many pieces there are`, async () => {
  const many = Array.from({ length: 300 }, (_, number) => [`guides/g${number}.md`, 'Text.']);
  using knowledge = createKnowledge(Object.fromEntries(many));
  const list = (await read(knowledge, 'baton://knowledge/guide')) ?? '';
  expect(list).toContain('and 100 more');
  expect(referenceCount(list)).toBeLessThan(3000);
});

test.each([
  ...['baton://knowledge/agent/nobody', 'baton://knowledge/agent/../../etc/passwd'],
  ...['baton://knowledge/agent/%2e%2e%2f%2e%2e%2fetc%2fpasswd', 'baton://knowledge/agent/a%00'],
  ...['baton://knowledge/agent//etc/passwd', 'baton://knowledge/agent/file:///etc/passwd'],
  ...['orchestr8://agents/../../../etc/passwd', 'orchestr8://agents/_fragments/../../secret'],
  ...['orchestr8://agents/..%5c..%5csecret', 'orchestr8://agents/C:%5csecret', 'orchestr8://%00'],
  ...[
    'baton://knowledge/guide/__proto__',
    'baton://knowledge/guide/constructor',
    'file:///etc/passwd',
  ],
])(`${cites('T12')} %s leads to nothing`, async (uri) => {
  using knowledge = createKnowledge(FILES);
  knowledge.write({ 'secret.md': '# Secret' });
  expect(await read(knowledge, uri)).toBeUndefined();
});

test(`${cites('KNOWLEDGE-URIS')} variables are completed`, async () => {
  using knowledge = createKnowledge(FILES);
  const complete = (variable: string, typed: string) =>
    knowledgeTemplates[0]?.complete?.(knowledge.service, variable, typed);
  expect(await complete('id', 'typ')).toEqual(['typescript-core']);
  expect(await complete('kind', 's')).toEqual(['skill']);
  expect(await complete('kinds', 'a')).toEqual(['agent']);
  expect(await complete('mode', '')).toEqual(['index', 'catalog', 'full']);
  expect(await complete('__proto__', '')).toEqual([]);
});
