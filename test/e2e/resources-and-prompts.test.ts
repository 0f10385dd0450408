import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cites, inexpressible } from './requirements.ts';
import { type AnyResult, type Peer, ways } from './ways.ts';

const builtInTemplates = [
  {
    uriTemplate: 'baton://data/{category}',
    name: 'data-category',
    title: 'A category of records',
    description: 'Its fields, values, relations and example queries.',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: 'baton://knowledge/match{?query,mode,maxTokens,kinds,tags,minScore,maxResults}',
    name: 'knowledge-match',
    title: 'Knowledge that fits',
    description: 'The best pieces for a query, within maxTokens.',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: 'baton://knowledge/{kind}',
    name: 'knowledge-kind',
    title: 'Knowledge of a kind',
    description: 'A list of all pieces of a kind.',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: 'baton://knowledge/{kind}/{id}',
    name: 'knowledge-piece',
    title: 'A piece of knowledge',
    description: 'The whole text of a piece.',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: 'baton://plan/{id}',
    name: 'plan',
    title: 'A plan',
    description: 'Where a plan stands.',
    mimeType: 'text/plain',
  },
  {
    uriTemplate: 'baton://plan/{id}/job/{job}/log',
    name: 'job-log',
    title: 'Output of a job',
    description: 'The newest output of a job of a plan.',
    mimeType: 'text/plain',
  },
  {
    uriTemplate: 'baton://ticket/{id}',
    name: 'ticket',
    title: 'A ticket',
    description: 'A ticket with its whole text and history.',
    mimeType: 'text/plain',
  },
];

describe.each(ways)('resources and prompts over $name', ({ open, era }) => {
  let peer: Peer;
  beforeAll(async () => {
    peer = await open();
  });
  afterAll(() => peer.close());
  const announce = (kind: string, uri?: string) =>
    peer.request('tools/call', { name: 'change', arguments: { kind, ...(uri && { uri }) } });

  test(`${cites('RESOURCES-LIST')} resources and templates are listed sorted`, async () => {
    const { resources } = await peer.request('resources/list');
    expect(resources.map((each: AnyResult) => each.uri)).toEqual([
      'baton://data',
      'baton://knowledge',
      'fixture://broken',
      'fixture://locked',
      'fixture://pixel',
      'fixture://readme',
    ]);
    const { resourceTemplates } = await peer.request('resources/templates/list');
    expect(resourceTemplates).toEqual([
      ...builtInTemplates,
      {
        uriTemplate: 'fixture://counter/{name}',
        name: 'counter',
        title: 'Counter',
        description: 'A number that can be watched, unless it is called "unwatchable".',
        mimeType: 'text/plain',
      },
      {
        uriTemplate: 'fixture://note/{id}',
        name: 'note',
        title: 'Note',
        description: 'A note by its id.',
        mimeType: 'text/plain',
      },
      {
        uriTemplate: 'fixture://query{?words,limit}',
        name: 'query',
        title: 'Query',
        description: 'Shows its parameters; without words it refuses.',
        mimeType: 'application/json',
      },
    ]);
  });

  test(`${cites('RESOURCES-READ')} a resource is read by URI or through a template`, async () => {
    expect((await peer.request('resources/read', { uri: 'fixture://readme' })).contents).toEqual([
      { uri: 'fixture://readme', mimeType: 'text/markdown', text: '# Hello' },
    ]);
    const { contents } = await peer.request('resources/read', { uri: 'fixture://note/first' });
    expect(contents[0].text).toBe('The first note');
    expect((await peer.request('resources/read', { uri: 'fixture://pixel' })).contents).toEqual([
      { uri: 'fixture://pixel', mimeType: 'image/png', blob: expect.stringMatching(/^iVBOR/) },
    ]);
  });

  test.each([
    'fixture://nothing',
    'fixture://note/unheard-of',
    'fixture://note/%E0%A4%A',
    'fixture://note/../../etc/passwd',
    'file:///etc/passwd',
    '',
    `fixture://note/${'x'.repeat(20_000)}`,
  ])(`${cites('RESOURCES-UNKNOWN')} unknown: %.40s`, async (uri) => {
    await expect(peer.request('resources/read', { uri })).rejects.toMatchObject({
      code: -32602,
      data: { uri: uri.slice(0, 500) },
    });
  });

  test(`${cites('RESOURCES-FAULT', 'RESOURCES-REFUSED')} a fault is neutral, an expected failure says what to do`, async () => {
    await expect(peer.request('resources/read', { uri: 'fixture://broken' })).rejects.toMatchObject(
      {
        code: -32603,
        message: expect.not.stringContaining('alice'),
      },
    );
    await expect(peer.request('resources/read', { uri: 'fixture://locked' })).rejects.toMatchObject(
      {
        code: -32602,
        message: expect.stringContaining('Unlock it first'),
        data: { code: 'locked', next: 'Unlock it first.' },
      },
    );
  });

  test(`${cites('RESOURCES-SUBSCRIBE')} only a subscribed client hears of a change`, async () => {
    const changed = () =>
      peer.notifications.filter(({ method }) => method === 'notifications/resources/updated');
    await announce('resource', 'fixture://readme');
    expect(changed()).toEqual([]);
    const subscription =
      era === 'modern'
        ? await peer.listen({ resourceSubscriptions: ['fixture://readme'] })
        : await peer.request('resources/subscribe', { uri: 'fixture://readme' });
    await announce('resource', 'fixture://note/first');
    await announce('resource', 'fixture://readme');
    const { params } = await peer.heard('notifications/resources/updated');
    expect(params.uri).toBe('fixture://readme');
    if (era === 'modern') await subscription.close();
    else await peer.request('resources/unsubscribe', { uri: 'fixture://readme' });
    await announce('resource', 'fixture://readme');
    expect(changed()).toHaveLength(1);
  });

  test(`${cites('LIST-CHANGED')} clients hear when a list has changed`, async () => {
    if (era === 'modern') {
      await peer.listen({
        toolsListChanged: true,
        resourcesListChanged: true,
        promptsListChanged: true,
      });
    }
    for (const list of ['tools', 'resources', 'prompts']) {
      await announce(list);
      expect(await peer.heard(`notifications/${list}/list_changed`)).toBeDefined();
    }
  });

  test(`${cites('PROMPTS-LIST', 'PROMPTS-GET')} prompts are listed and rendered`, async () => {
    const { prompts } = await peer.request('prompts/list');
    expect(prompts).toMatchObject([
      { name: 'interview', arguments: [] },
      { name: 'review', arguments: [{ name: 'file', required: true }, { name: 'focus' }] },
    ]);
    const { messages } = await peer.request('prompts/get', {
      name: 'review',
      arguments: { file: '$& {{x}}.ts' },
    });
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Review $& {{x}}.ts for everything.' } },
    ]);
  });

  test(`${cites('PROMPTS-INVALID')} what is wrong with a prompt is named`, async () => {
    const cases = [
      [{ name: 'reviev' }, 'Did you mean review?'],
      [{ name: 'review' }, 'argument "file" is missing'],
      [{ name: 'review', arguments: { file: 'a', depth: '1' } }, 'unknown argument "depth"'],
      [{ name: 'review', arguments: { file: 5 } }, 'params.arguments.file'],
    ] as const;
    for (const [params, words] of cases) {
      await expect(peer.request('prompts/get', params)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(words),
      });
    }
  });

  test(`${cites('COMPLETION')} arguments and variables are completed`, async () => {
    const complete = async (ref: object, name: string, value: string) =>
      (await peer.request('completion/complete', { ref, argument: { name, value } })).completion;
    const prompt = { type: 'ref/prompt', name: 'review' };
    expect(await complete(prompt, 'focus', 's')).toEqual({
      values: ['safety', 'speed', 'style'],
      total: 3,
      hasMore: false,
    });
    const notes = await complete(
      { type: 'ref/resource', uri: 'fixture://note/{id}' },
      'id',
      'note-',
    );
    expect(notes.values).toHaveLength(100);
    expect(notes).toMatchObject({ total: 250, hasMore: true });
    await expect(complete({ type: 'ref/prompt', name: 'x' }, 'a', '')).rejects.toMatchObject({
      code: -32602,
    });
  });

  test(`${cites('CACHE')} lists say how long they may be kept`, async () => {
    const list = await peer.request('resources/list', { _meta: {} });
    if (era === 'modern') expect(list).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' });
    else expect(list).not.toHaveProperty('ttlMs');
  });
});

const unknown = 'RESOURCES-SUBSCRIBE-UNKNOWN';
describe.each(ways.filter(({ era }) => !inexpressible[era][unknown]))(
  'a subscription over $name',
  ({ open }) => {
    test(`${cites('RESOURCES-SUBSCRIBE-UNKNOWN')} to what does not exist is refused`, async () => {
      const peer = await open();
      const refused = peer.request('resources/subscribe', { uri: 'fixture://x' });
      await expect(refused).rejects.toMatchObject({ code: -32602, data: { uri: 'fixture://x' } });
      await peer.close();
    });
  },
);
