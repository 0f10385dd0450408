import { cites } from '@baton/e2e/requirements';
import { expect, test } from 'vitest';
import { readOldUri, readUri, requestOf } from './parts-under-test.ts';

test.each([
  ['baton://knowledge', { type: 'overview' }],
  ['baton://knowledge/', { type: 'overview' }],
  ['baton://knowledge/agents', { type: 'kind', kind: 'agent' }],
  ['baton://knowledge/agent/', { type: 'kind', kind: 'agent' }],
  ['baton://knowledge/skill/lock-contention', piece('skill', 'lock-contention')],
  ['baton://knowledge/skill/lock-contention#part', piece('skill', 'lock-contention')],
  ['baton://knowledge/skills/deep/er', piece('skill', 'deep/er')],
  ['baton://knowledge/skill/deep%2Fer', piece('skill', 'deep/er')],
  ['baton://knowledge/skill/%E5%88%86%E9%A1%B5', piece('skill', '分页')],
  ['baton://knowledge/skill/cafe%CC%81', piece('skill', 'café')],
])(`${cites('KNOWLEDGE-URIS')} %s`, (uri, wanted) => {
  expect(readUri(uri)).toEqual(wanted);
});

test.each([
  ['orchestr8://registry', { type: 'overview' }],
  ['orchestr8://agents', { type: 'kind', kind: 'agent' }],
  ['orchestr8://agents/_fragments/typescript-core', piece('agent', 'typescript-core')],
  ['orchestr8://agents/typescript-core', piece('agent', 'typescript-core')],
  ['@orchestr8://agents/typescript-core', piece('agent', 'typescript-core')],
])(`${cites('KNOWLEDGE-OLD-URIS')} %s`, (uri, wanted) => {
  expect(readOldUri(uri)).toEqual(wanted);
  expect(readUri(uri)).toBeUndefined();
});

test.each([
  ...['', 'baton://', 'baton://knowledge2', 'baton://knowledges/agent/a', 'baton://tickets/T-1'],
  ...['baton://knowledge/poem/a', 'baton://knowledge/__proto__/a', 'baton://knowledge/constructor'],
  ...['baton://knowledge/agent/100%', 'baton://knowledge/agent/%zz', 'baton://knowledge/agent/%ff'],
  ...['baton://knowledge/agent/a?query=b', 'file:///etc/passwd', ' baton://knowledge'],
  ...['baton://knowledge/%00', 'baton://knowledge/..', 'orchestr8://', 'BATON://knowledge'],
])(`${cites('T12')} %j is no URI of ours`, (uri) => {
  expect(readUri(uri)).toBeUndefined();
});

const asked = (query: string) => {
  const wanted = readOldUri(`orchestr8://match?${query}`);
  if (wanted?.type !== 'match') throw new Error('no match');
  return requestOf(wanted);
};

test.each([
  ['query=slow%20page', 'slow page'],
  ['query=slow+page', 'slow page'],
  ['query=slow page', 'slow page'],
  ['query=c++', 'c++'],
  ['query=c%2B%2B+code', 'c++ code'],
  ['query=c# code', 'c# code'],
  ['query=c%23', 'c#'],
  ['query=100%', '100%'],
  ['query=100%+sure+%C3%A9', '100% sure é'],
  ['query=%', '%'],
  ['query=%zz%41', '%zzA'],
  ['query=%ff', '%ff'],
  ['query=a=b', 'a=b'],
  ['query=a?b', 'a?b'],
  ['query=%F0%9F%9A%80+launch', '🚀 launch'],
  ['query=%00', '\0'],
  ['query=%2e%2e%2fetc', '../etc'],
  ['query=a&query=b', 'a,b'],
  ['mode=index&query=a', 'a'],
  ['query=a\nb', 'a\nb'],
  ['query', ''],
  ['', ''],
  ['__proto__=x&query=a', 'a'],
])(`${cites('KNOWLEDGE-OLD-URIS')} the query of ?%s is %j`, (query, words) => {
  expect(asked(query).query).toBe(words);
});

test(`${cites('KNOWLEDGE-OLD-URIS')} a match as document 003 asks for it`, () => {
  expect(
    asked('query=build+api&categories=agent,skills&maxTokens=2000&mode=catalog&tags=a&tags=b,c'),
  ).toEqual({
    query: 'build api',
    mode: 'catalog',
    maxTokens: 2000,
    kinds: ['agent', 'skill'],
    tags: ['a', 'b', 'c'],
    minScore: 0,
    maxResults: 15,
  });
  const agents = readOldUri('orchestr8://agents/match?query=build+api&categories=skill');
  expect(agents?.type === 'match' && requestOf(agents)).toMatchObject({ kinds: ['agent'] });
  expect(asked('query=x')).toMatchObject({ mode: 'full', maxTokens: 3000, kinds: [], tags: [] });
});

test.each([
  ...['mode=poem', 'maxTokens=99', 'maxTokens=1e9', 'maxTokens=x', 'maxTokens=200&maxTokens=300'],
  ...['maxResults=0', 'maxResults=51', 'minScore=-1', 'minScore=101', 'kinds=poem', 'categories=a'],
])('?%s says what is wrong', (query) => {
  expect(() => asked(`query=x&${query}`)).toThrow(expect.objectContaining({ code: 'invalid_uri' }));
});

function piece(kind: string, id: string) {
  return { type: 'piece', kind, id };
}
