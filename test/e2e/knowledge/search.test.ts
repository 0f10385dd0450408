import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FileWorkspace, fileWorkspace } from '../file-workspace.ts';
import { cites } from '../requirements.ts';
import type { AnyResult, Peer } from '../ways.ts';
import { nearestWay, workspaceWays } from '../workspace-ways.ts';
import { idsOf, MODES, result, search } from './asking.ts';
import { TEAM_FILES, TEAM_KEYS } from './collection.ts';

const GIBBERISH = 'xqzzv blorptang wuggleflump';

let workspace: FileWorkspace;
beforeAll(() => {
  workspace = fileWorkspace(TEAM_FILES);
});
afterAll(() => workspace[Symbol.asyncDispose]());

describe.each(workspaceWays)('searching over $name', ({ open }) => {
  let peer: Peer;
  beforeAll(async () => {
    peer = await open(workspace);
  });
  afterAll(() => peer.close());

  test.each([
    ['words of its text', 'unique_ptr', 'guide/cpp-ownership'],
    ['words in another form', 'verify a signature of webhooks', 'example/webhook-signature'],
    ['a name in camel case', 'getUserProfile', 'guide/profiles'],
    ['parts of a name in camel case', 'get the user profile', 'guide/profiles'],
    ['a name with signs', 'c++', 'guide/cpp-ownership'],
    ['a name with a dot', 'node.js', 'guide/streams'],
    ['the same name without it', 'nodejs', 'guide/streams'],
    ['a word with a typo', 'kuberentes', 'guide/kubernetes-rollouts'],
    ['an abbreviation', 'k8s', 'guide/kubernetes-rollouts'],
    [
      'a symptom without any of its words',
      'the page jumps while images load',
      'guide/layout-shift',
    ],
    ['when to use it', 'a colleague starts on Monday', 'guide/first-week'],
    ['when a skill says to use it', 'the list returns too many rows', 'skill/cursor-paging'],
    ['what it is capable of', 'circuit breakers', 'pattern/retry-with-backoff'],
    ['its kind and id', 'guide/streams', 'guide/streams'],
    ['its id alone', 'retry-with-backoff', 'pattern/retry-with-backoff'],
  ])(`${cites('KNOWLEDGE-FOUND')} a piece is found by %s: %s`, async (_, query, wanted) => {
    expect((await idsOf(peer, query))[0]).toBe(wanted);
  });

  test.each([
    'how long to bake sourdough bread',
    'a good recipe for pasta with tomatoes',
    'who won the football match yesterday',
    GIBBERISH,
  ])(`${cites('KNOWLEDGE-NOTHING')} nothing fits: %s`, async (query) => {
    for (const mode of MODES) {
      const answer = await search(peer, query, { mode });
      expect(answer).toMatchObject({
        pieces: [],
        next: expect.stringMatching(/^Nothing here fits this request\. .*Ask in other words/),
      });
      expect(answer).not.toHaveProperty('cursor');
    }
  });

  test(`${cites('KNOWLEDGE-FILTERS')} kinds, tags and scores are filters`, async () => {
    expect(await idsOf(peer, 'api', { kinds: ['skill'] })).toEqual(['skill/cursor-paging']);
    expect((await idsOf(peer, 'api', { kinds: ['skill', 'example'] })).toSorted()).toEqual([
      'example/webhook-signature',
      'skill/cursor-paging',
    ]);
    // All of the tags, in any case.
    expect(await idsOf(peer, 'api', { tags: ['API', 'resilience'] })).toEqual([
      'pattern/retry-with-backoff',
    ]);
    expect(await idsOf(peer, 'api', { tags: ['api', 'css'] })).toEqual([]);
    // Another kind is no better for being the only answer, nor is a name of another kind.
    for (const query of ['api', 'guide/streams']) {
      expect(await search(peer, query, { kinds: ['agent'] })).toMatchObject({
        pieces: [],
        next: expect.stringContaining('fewer filters'),
      });
    }
    const { pieces } = await search(peer, 'api', { mode: 'index' });
    const [best, second] = pieces.map(({ score }: AnyResult) => score);
    expect(best).toBeGreaterThan(second);
    expect(await idsOf(peer, 'api', { minScore: second + 1 })).toEqual([pieces[0].id]);
    expect(await idsOf(peer, 'api', { maxResults: 1 })).toEqual([pieces[0].id]);
    expect(await idsOf(peer, 'api', { minScore: 100 })).toEqual([]);
  });

  test.each([
    [{ query: 'api', mode: 'everything' }, 'invalid_input', /mode: .*"index"\|"catalog"\|"full"/],
    [{ query: 'api', kinds: ['recipe'] }, 'invalid_input', /kinds\.0: .*"agent"\|"example"\|/],
    [{ query: 'api', kinds: ['__proto__'] }, 'invalid_input', /kinds\.0/],
    [{ query: 'api', maxTokens: 0 }, 'invalid_input', /maxTokens: .*100/],
    [{ query: 'api', maxTokens: 1.5 }, 'invalid_input', /maxTokens/],
    [{ query: 'api', maxResults: 0 }, 'invalid_input', /maxResults/],
    [{ query: 'api', minScore: 101 }, 'invalid_input', /minScore/],
    [{ query: 'api', tags: 'css' }, 'invalid_input', /tags/],
    [{ query: 'api', budget: 100 }, 'invalid_input', /budget/],
    [{ query: '' }, 'invalid_input', /query/],
    [{ query: 'x'.repeat(10_001) }, 'invalid_input', /query/],
    [{ query: 5 }, 'invalid_input', /query/],
    [{}, 'invalid_input', /query/],
    [{ query: ' ?! … ' }, 'query_empty', /no word/],
  ])(`${cites('TOOLS-INVALID')} refused, with what to do next`, async (request, code, message) => {
    const { isError, structuredContent } = await result(peer, request);
    expect(isError).toBe(true);
    expect(structuredContent).toEqual({
      code,
      message: expect.stringMatching(message),
      next: expect.stringMatching(/./),
    });
  });
});

describe('searching on the command line', () => {
  const call = async (request: object) => {
    const { status, stdout } = await workspace.baton(
      'call',
      'knowledge_search',
      JSON.stringify(request),
    );
    return { status, answer: JSON.parse(stdout) };
  };

  test(`${cites('CLI-CALL', 'KNOWLEDGE-FOUND')} gives the answer that a client gets`, async () => {
    await using peer = await nearestWay.open(workspace);
    for (const mode of MODES) {
      const { status, answer } = await call({ query: 'k8s', mode });
      expect(status).toBe(0);
      expect(answer.pieces).toHaveLength(1);
      expect(answer).toEqual(await search(peer, 'k8s', { mode }));
    }
  });

  test(`${cites('CLI-CALL', 'TOOLS-INVALID')} says what is wrong with a request`, async () => {
    expect(await call({ query: 'k8s', mode: 'x' })).toMatchObject({
      status: 2,
      answer: { code: 'invalid_input', next: expect.any(String) },
    });
    expect(await call({ query: '?' })).toMatchObject({
      status: 1,
      answer: { code: 'query_empty' },
    });
  });
});

describe('a workspace', () => {
  test(`${cites('KNOWLEDGE-NOTHING')} without knowledge says where to put it`, async () => {
    await using empty = fileWorkspace({});
    const { stdout } = await empty.baton('call', 'knowledge_search', '{"query":"api"}');
    expect(JSON.parse(stdout)).toMatchObject({
      pieces: [],
      next: expect.stringContaining('.baton/knowledge'),
    });
  });

  test(`${cites('KNOWLEDGE-FOUND')} finds every piece by its own title`, async () => {
    await using peer = await nearestWay.open(workspace);
    for (const key of TEAM_KEYS) {
      const { pieces } = await search(peer, key, { mode: 'index' });
      expect(pieces[0]).toMatchObject({ id: key, score: 100 });
      expect((await idsOf(peer, pieces[0].title))[0]).toBe(key);
    }
  });
});
