import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FileWorkspace, fileWorkspace } from '../file-workspace.ts';
import { cites } from '../requirements.ts';
import type { AnyResult, Peer } from '../ways.ts';
import { nearestWay, workspaceWays } from '../workspace-ways.ts';
import { complete, countTokens, read, search } from './asking.ts';
import { TEAM_FILES } from './collection.ts';

const PIECE = 'baton://knowledge/{kind}/{id}';
const MATCH = 'baton://knowledge/match{?query,mode,maxTokens,kinds,tags,minScore,maxResults}';
const KIND = 'baton://knowledge/{kind}';

const MANY_FILES = 2000;

/** A list of one piece, after the line that says whose words follow. */
function onlyItem(id: string): RegExp {
  return new RegExp(`^<!-- [^\\n]+ -->\\n- ${id}: [^\\n]+ tokens, score \\d+\\)$`);
}

let workspace: FileWorkspace;
beforeAll(() => {
  workspace = fileWorkspace(TEAM_FILES);
});
afterAll(() => workspace[Symbol.asyncDispose]());

describe.each(workspaceWays)('resources over $name', ({ open }) => {
  let peer: Peer;
  beforeAll(async () => {
    peer = await open(workspace);
  });
  afterAll(() => peer.close());

  test(`${cites('KNOWLEDGE-URIS', 'RESOURCES-LIST')} are listed as one overview and three templates`, async () => {
    const { resources } = await peer.request('resources/list');
    expect(resources).toContainEqual(
      expect.objectContaining({ uri: 'baton://knowledge', mimeType: 'text/markdown' }),
    );
    const { resourceTemplates } = await peer.request('resources/templates/list');
    const ours = resourceTemplates.filter(({ name }: AnyResult) => name.startsWith('knowledge'));
    expect(ours).toHaveLength(3);
    for (const uriTemplate of [PIECE, MATCH, KIND]) {
      expect(ours).toContainEqual(
        expect.objectContaining({ uriTemplate, mimeType: 'text/markdown' }),
      );
    }
  });

  test.each([
    ['baton://knowledge', /^# Knowledge\n\n12 pieces, .*\n- guide: 7\n/s],
    ['baton://knowledge/guide', /^# 7 of kind guide\n.*- baton:\/\/knowledge\/guide\/streams\n/s],
    ['baton://knowledge/guides', /^# 7 of kind guide\n/],
    ['baton://knowledge/guide/streams', /^# Node\.js streams\n\nUse pipeline/],
    ['baton://knowledge/guides/streams', /^# Node\.js streams\n\nUse pipeline/],
    ['baton://knowledge/guide/streams#x', /^# Node\.js streams\n\nUse pipeline/],
    ['baton://knowledge/guide/%73treams', /^# Node\.js streams\n\nUse pipeline/],
    ['baton://knowledge/skill/cursor-paging', /^# Cursor paging\n\nOrder by/],
    ['baton://knowledge/match?query=k8s', /guide\/kubernetes-rollouts.*# Kubernetes rollouts\n/s],
    ['baton://knowledge/match?mode=index&query=k8s', onlyItem('guide/kubernetes-rollouts')],
    ['baton://knowledge/match?mode=catalog&query=k8s', /\n {2}why: k8s/],
    ['baton://knowledge/match?query=user+profile&mode=index', onlyItem('guide/profiles')],
    ['baton://knowledge/match?query=user%20profile&mode=index', onlyItem('guide/profiles')],
    ['baton://knowledge/match?query=c++&mode=index', onlyItem('guide/cpp-ownership')],
    ['baton://knowledge/match?query=c%2B%2B%&mode=index', onlyItem('guide/cpp-ownership')],
    [
      'baton://knowledge/match?query=api&kinds=skill,agent&mode=index',
      onlyItem('skill/cursor-paging'),
    ],
    [
      'baton://knowledge/match?query=api&tags=API,security&mode=index',
      onlyItem('example/webhook-signature'),
    ],
    ['baton://knowledge/match?query=api&maxResults=1&mode=index', onlyItem('skill/cursor-paging')],
    ['baton://knowledge/match?query=sourdough+bread', /^Nothing here fits this request\./],
  ])(
    `${cites('KNOWLEDGE-URIS', 'RESOURCES-READ')} are read as they were asked for: %s`,
    async (uri, text) => {
      expect(await read(peer, uri)).toEqual({
        uri,
        mimeType: 'text/markdown',
        text: expect.stringMatching(text),
      });
    },
  );

  test(`${cites('KNOWLEDGE-URIS')} have the text that a search gives`, async () => {
    const { pieces } = await search(peer, 'k8s', { mode: 'full' });
    const { text } = await read(peer, 'baton://knowledge/guide/kubernetes-rollouts');
    expect(text.trim()).toBe(pieces[0].text);
    // Every piece of a match says where it is from.
    const match = await read(peer, 'baton://knowledge/match?query=k8s');
    const { id, score, tokens, from } = pieces[0];
    const origin = `<!-- ${id}, score ${score}, ${tokens} tokens, from ${from} -->`;
    expect(match.text).toBe(`${origin}\n${pieces[0].text}`);
  });

  test(`${cites('KNOWLEDGE-URIS', 'KNOWLEDGE-BUDGET')} of matches keep to their budget`, async () => {
    for (const mode of ['index', 'catalog', 'full']) {
      for (const query of ['schema migrations', 'api', 'bread']) {
        for (const maxTokens of [100, 200, 400, 1000]) {
          const parameters = new URLSearchParams({ query, mode, maxTokens: String(maxTokens) });
          const { text } = await read(peer, `baton://knowledge/match?${parameters}`);
          expect(countTokens(text), `${parameters}`).toBeLessThanOrEqual(maxTokens);
        }
      }
    }
  });

  test.each([
    'baton://knowledge/guide/unheard-of',
    'baton://knowledge/skill/streams',
    'baton://knowledge/guide/Streams',
    'baton://knowledge/recipe',
    'baton://knowledge/recipe/bread',
    'baton://knowledge/guide/streams?x=1',
    'baton://knowledge/guide/%E0%A4%A',
    'baton://knowledge/guide/streams.md',
    'baton://knowledge/guide/__proto__',
    'baton://knowledge/constructor',
    'baton://knowledgeable',
    `baton://knowledge/guide/${'x'.repeat(9000)}`,
  ])(`${cites('KNOWLEDGE-URIS', 'RESOURCES-UNKNOWN')} unknown: %s`, async (uri) => {
    await expect(peer.request('resources/read', { uri })).rejects.toMatchObject({
      code: -32602,
      data: { uri: uri.slice(0, 500) },
    });
  });

  test.each([
    ['query=api&mode=everything', /mode must be one of index, catalog, full/],
    ['query=api&maxTokens=0', /maxTokens must be a number from 100/],
    ['query=api&maxTokens=lots', /maxTokens/],
    ['query=api&maxResults=1e9', /maxResults/],
    ['query=api&minScore=-1', /minScore/],
    ['query=api&kinds=recipe', /no kind "recipe"/],
    ['query=', /no word/],
    ['', /no word/],
  ])(
    `${cites('KNOWLEDGE-URIS', 'RESOURCES-REFUSED')} refused: match?%s`,
    async (query, message) => {
      const uri = `baton://knowledge/match?${query}`;
      await expect(peer.request('resources/read', { uri })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringMatching(message),
        data: { next: expect.stringMatching(/./) },
      });
    },
  );

  test(`${cites('KNOWLEDGE-URIS', 'COMPLETION')} are completed`, async () => {
    const at = (uri: string) => ({ type: 'ref/resource', uri });
    expect(await complete(peer, at(PIECE), 'kind', '')).toEqual([
      'agent',
      'example',
      'guide',
      'pattern',
      'skill',
      'workflow',
    ]);
    expect(await complete(peer, at(KIND), 'kind', 'g')).toEqual(['guide']);
    expect(await complete(peer, at(PIECE), 'id', 'c')).toEqual(['cpp-ownership', 'cursor-paging']);
    expect(await complete(peer, at(PIECE), 'id', 'unheard-of')).toEqual([]);
    expect(await complete(peer, at(MATCH), 'mode', '')).toEqual(['index', 'catalog', 'full']);
    expect(await complete(peer, at(MATCH), 'mode', 'f')).toEqual(['full']);
    expect(await complete(peer, at(MATCH), 'query', 'a')).toEqual([]);
  });
});

describe('a large collection', () => {
  const files = Object.fromEntries(
    Array.from({ length: MANY_FILES }, (_, index) => [
      `.baton/knowledge/guides/note-${index}.md`,
      `# Note ${index}\n\nAbout part ${index} of the system.\n`,
    ]),
  );

  test(`${cites('KNOWLEDGE-URIS', 'COMPLETION')} is not listed, and completed a hundred at a time`, async () => {
    await using large = fileWorkspace(files);
    await using empty = fileWorkspace({});
    await using peer = await nearestWay.open(large);
    await using other = await nearestWay.open(empty);
    const overview = await read(peer, 'baton://knowledge');
    expect(overview.text).toContain(`${MANY_FILES} pieces`);
    for (const method of ['resources/list', 'resources/templates/list', 'tools/list']) {
      expect(await peer.request(method)).toEqual(await other.request(method));
    }
    const kind = await read(peer, 'baton://knowledge/guide');
    for (const text of [overview.text, kind.text]) expect(countTokens(text)).toBeLessThan(5000);
    expect(kind.text).toContain(`# ${MANY_FILES} of kind guide`);
    const ref = { type: 'ref/resource', uri: PIECE };
    expect(await complete(peer, ref, 'id', 'note-19')).toHaveLength(100);
    expect(await complete(peer, ref, 'id', 'note-199')).toHaveLength(11);
    const last = await read(peer, `baton://knowledge/guide/note-${MANY_FILES - 1}`);
    expect(last.text).toBe(files[`.baton/knowledge/guides/note-${MANY_FILES - 1}.md`]);
  });
});
