import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FileWorkspace, fileWorkspace } from '../file-workspace.ts';
import { cites } from '../requirements.ts';
import type { AnyResult, Peer } from '../ways.ts';
import { workspaceWays } from '../workspace-ways.ts';
import { countTokens, read } from './asking.ts';
import { TEAM_FILES } from './collection.ts';

let workspace: FileWorkspace;
beforeAll(() => {
  workspace = fileWorkspace(TEAM_FILES);
});
afterAll(() => workspace[Symbol.asyncDispose]());

const AGENT = 'baton://knowledge/agent/typescript-core';

describe.each(workspaceWays)('URIs of document 003 over $name', ({ open }) => {
  let peer: Peer;
  beforeAll(async () => {
    peer = await open(workspace);
  });
  afterAll(() => peer.close());

  test.each([
    ['orchestr8://agents/_fragments/typescript-core', AGENT],
    ['orchestr8://agents/typescript-core', AGENT],
    ['@orchestr8://agents/typescript-core', AGENT],
    ['orchestr8://skills/cursor-paging', 'baton://knowledge/skill/cursor-paging'],
    [
      'orchestr8://patterns/_fragments/retry-with-backoff',
      'baton://knowledge/pattern/retry-with-backoff',
    ],
    ['orchestr8://examples/webhook-signature', 'baton://knowledge/example/webhook-signature'],
    ['orchestr8://workflows/_fragments/release', 'baton://knowledge/workflow/release'],
    ['orchestr8://guides/streams', 'baton://knowledge/guide/streams'],
    ['orchestr8://registry', 'baton://knowledge'],
    ['orchestr8://guides', 'baton://knowledge/guide'],
    ['orchestr8://match?query=api', 'baton://knowledge/match?query=api'],
    ['orchestr8://agents/match?query=types', 'baton://knowledge/match?query=types&kinds=agent'],
    [
      'orchestr8://match?query=api&mode=index&categories=skills,examples',
      'baton://knowledge/match?query=api&mode=index&kinds=skill,example',
    ],
    [
      'orchestr8://match?query=schema+migrations&maxTokens=300&mode=full&tags=postgresql,schema&maxResults=3&minScore=15',
      'baton://knowledge/match?query=schema+migrations&maxTokens=300&mode=full&tags=postgresql,schema&maxResults=3&minScore=15',
    ],
  ])(`${cites('KNOWLEDGE-OLD-URIS', 'RESOURCES-READ')} %s`, async (uri, ours) => {
    const { text } = await read(peer, ours);
    expect(text).toMatch(/\w/);
    expect(await read(peer, uri)).toEqual({ uri, mimeType: 'text/markdown', text });
  });

  test(`${cites('KNOWLEDGE-OLD-URIS')} say what the documents say`, async () => {
    const agent = await read(peer, 'orchestr8://agents/_fragments/typescript-core');
    expect(agent.text).toMatch(/^# TypeScript Core Expert\n\n/);
    const match = await read(peer, 'orchestr8://agents/match?query=api');
    // An agent for another subject would be noise, and so would be what is no agent.
    expect(match.text).toMatch(/^Nothing here fits/);
    const found = await read(peer, 'orchestr8://agents/match?query=typed+interfaces');
    expect(found.text).toContain('# TypeScript Core Expert');
    const part = await read(peer, 'orchestr8://match?query=schema+migrations&maxTokens=300');
    expect(part.text).toContain(', parts of ');
    expect(countTokens(part.text)).toBeLessThanOrEqual(300);
  });

  test.each([
    'orchestr8://agents/non-existent',
    'orchestr8://agents/_fragments/non-existent',
    'orchestr8://recipes/bread',
    'orchestr8:///etc/passwd',
    'orchestr8://agents/../../config',
    'orchestr8://agents/_fragments/..%2f..%2fconfig',
    'orchestr9://agents/typescript-core',
  ])(`${cites('KNOWLEDGE-OLD-URIS', 'RESOURCES-UNKNOWN')} unknown: %s`, async (uri) => {
    await expect(peer.request('resources/read', { uri })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(uri),
    });
  });

  test.each(['mode=everything', 'maxTokens=1', 'categories=recipe'])(
    `${cites('KNOWLEDGE-OLD-URIS', 'RESOURCES-REFUSED')} refused, not ignored: %s`,
    async (parameter) => {
      const uri = `orchestr8://match?query=api&${parameter}`;
      await expect(peer.request('resources/read', { uri })).rejects.toMatchObject({
        code: -32602,
        data: { code: 'invalid_uri', next: expect.any(String) },
      });
    },
  );

  test(`${cites('KNOWLEDGE-OLD-URIS', 'RESOURCES-LIST')} are not listed`, async () => {
    for (const method of ['resources/list', 'resources/templates/list']) {
      const listed: AnyResult = await peer.request(method);
      expect(JSON.stringify(listed)).toContain('baton://knowledge');
      expect(JSON.stringify(listed)).not.toContain('orchestr8');
    }
  });
});

test(`${cites('KNOWLEDGE-OLD-URIS')} the messages of document 003 get its answers`, async () => {
  await using shown = fileWorkspace(TEAM_FILES);
  const server = shown.server();
  server.write(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}
{"jsonrpc":"2.0","id":2,"method":"resources/list","params":{}}
{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"orchestr8://agents/typescript-core"}}
{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"orchestr8://agents/non-existent"}}
`);
  expect((await server.reply(3)).result).toEqual({
    contents: [
      {
        uri: 'orchestr8://agents/typescript-core',
        mimeType: 'text/markdown',
        text: expect.stringMatching(/^# TypeScript Core Expert\n\n/),
      },
    ],
  });
  expect((await server.reply(4)).error).toMatchObject({
    code: -32602,
    message: expect.stringContaining('orchestr8://agents/non-existent'),
  });
  const listed = (await server.reply(2)).result.resources;
  expect(listed).toContainEqual(expect.objectContaining({ uri: 'baton://knowledge' }));
});
