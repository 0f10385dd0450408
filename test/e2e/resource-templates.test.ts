import { BatonError } from '@baton/core';
import { serveInMemory } from '@baton/mcp';
import { startProgram } from '@baton/testkit';
import type { Transport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtureProgram } from './programs.ts';
import { cites } from './requirements.ts';
import { type AnyResult, connectV2, type Peer, testBaton, ways } from './ways.ts';

const malformed = [
  '%',
  '%zz',
  'fixture://query?words=%',
  'fixture://query?words=%zz',
  'fixture://query?words=%c3%28',
  'fixture://old-note/%zz',
  'fixture://query?\u0000=%00%',
  `fixture://query?words=${'x'.repeat(10_240)}`,
];

describe.each(ways)('templates over $name', ({ open, era }) => {
  let peer: Peer;
  beforeAll(async () => {
    peer = await open();
  });
  afterAll(() => peer.close());
  const read = async (uri: string) => (await peer.request('resources/read', { uri })).contents[0];

  test.each([
    ['words=a', { words: 'a' }],
    ['limit=2&words=a+b%2Bc%25%26', { limit: '2', words: 'a b+c%&' }],
    ['words=a&mode=x&limit=', { words: 'a', mode: 'x', limit: '' }],
    ['words=a%00b', { words: 'a\u0000b' }],
  ])(`${cites('RESOURCES-READ')} one that reads its URIs itself: %s`, async (parameters, shown) => {
    const { text } = await read(`fixture://query?${parameters}`);
    expect(JSON.parse(text)).toEqual(shown);
  });

  test(`${cites('RESOURCES-LIST', 'COMPLETION')} an old form is not listed, and works`, async () => {
    const { resourceTemplates } = await peer.request('resources/templates/list');
    const listed = resourceTemplates.map(({ uriTemplate }: AnyResult) => uriTemplate);
    expect(listed).toContain('fixture://query{?words,limit}');
    expect(listed).not.toContain('fixture://old-note/{id}');
    expect(await read('fixture://old-note/first')).toMatchObject({ text: 'The first note' });
    const { completion } = await peer.request('completion/complete', {
      ref: { type: 'ref/resource', uri: 'fixture://old-note/{id}' },
      argument: { name: 'id', value: 'f' },
    });
    expect(completion.values).toEqual(['first']);
    const uri = 'fixture://old-note/first';
    if (era === 'modern') await peer.listen({ resourceSubscriptions: [uri] });
    else await peer.request('resources/subscribe', { uri });
    await peer.request('tools/call', { name: 'change', arguments: { kind: 'resource', uri } });
    expect((await peer.heard('notifications/resources/updated')).params.uri).toBe(uri);
  });

  test.each(malformed)(`${cites('RESOURCES-UNKNOWN', 'T12')} malformed: %j`, async (uri) => {
    await expect(read(uri)).rejects.toMatchObject({
      code: -32602,
      data: { uri: uri.slice(0, 500) },
    });
  });

  test(`${cites('RESOURCES-UNKNOWN', 'T34')} to subscribe to what is malformed harms nothing`, async () => {
    if (era === 'modern') await peer.listen({ resourceSubscriptions: malformed });
    else {
      for (const uri of malformed) {
        const refused = peer.request('resources/subscribe', { uri });
        await expect(refused).rejects.toMatchObject({ code: -32602 });
      }
    }
    expect(await read('fixture://note/first')).toMatchObject({ text: 'The first note' });
  });

  test(`${cites('RESOURCES-REFUSED')} what is wrong with a URI is told with what to do next`, async () => {
    await expect(read('fixture://query?limit=2')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('There are no \\u001b words. Add ?words=….'),
      data: { code: 'words_missing', next: 'Add ?words=….' },
    });
    // Whatever the client had asked for, the store would have failed it.
    await expect(read('fixture://query?words=full')).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('No room. Make room.'),
      data: { code: 'store_full' },
    });
  });
});

test(`${cites('RESOURCES-REFUSED', 'T13')} what refuses is not logged as a fault`, async () => {
  await using running = startProgram(fixtureProgram);
  const { error } = await running.request(1, 'resources/read', { uri: 'fixture://query?a' });
  expect(error).toMatchObject({ code: -32602, data: { code: 'words_missing' } });
  expect(running.stderr).not.toContain('fault');
});

test(`${cites('RESOURCES-REFUSED')} that a feature cannot start is not the client's fault`, async () => {
  const baton = testBaton();
  const unreadable = new BatonError('config_unreadable', 'It is no YAML.', 'Correct the file.');
  const resourceTemplates = baton.catalogue.resourceTemplates.map(({ item }) => ({
    item,
    service: () => Promise.reject(unreadable),
  }));
  const catalogue = { ...baton.catalogue, resourceTemplates };
  const { client } = serveInMemory({ ...baton, catalogue });
  const peer = await connectV2(client as Transport, 'modern', {});
  const read = peer.request('resources/read', { uri: 'fixture://query?words=a' });
  await expect(read).rejects.toMatchObject({ code: -32603, data: { code: 'config_unreadable' } });
  await peer.close();
});
