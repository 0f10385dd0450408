import { serveProgram } from '@baton/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtureProgram } from './programs.ts';
import { cites } from './requirements.ts';
import { type Peer, sseWay } from './ways.ts';

describe(`over ${sseWay.name}`, () => {
  let peer: Peer;
  beforeAll(async () => {
    peer = await sseWay.open({ elicit: () => ({ action: 'accept', content: { yes: false } }) });
  });
  afterAll(() => peer.close());

  test(`${cites('HTTP-SSE')} tools are listed`, async () => {
    const { tools } = await peer.request('tools/list');
    expect(tools.map(({ name }: { name: string }) => name)).toContain('status');
  });

  test(`${cites('HTTP-SSE')} a tool is called`, async () => {
    const result = await peer.request('tools/call', { name: 'echo', arguments: { text: 'hi' } });
    expect(result.structuredContent.text).toBe('hi');
  });

  test(`${cites('HTTP-SSE')} a call reports progress and can be cancelled`, async () => {
    const seen: number[] = [];
    const enough = new AbortController();
    const counting = peer.request(
      'tools/call',
      { name: 'count', arguments: { steps: 3, hold: true } },
      {
        signal: enough.signal,
        onprogress({ progress }) {
          if (seen.push(progress) === 3) enough.abort('seen enough');
        },
      },
    );
    await expect(counting).rejects.toThrow('seen enough');
    expect(seen).toEqual([1, 2, 3]);
  });

  test(`${cites('HTTP-SSE')} the person is asked`, async () => {
    const result = await peer.request('tools/call', {
      name: 'confirm',
      arguments: { subject: 'go' },
    });
    expect(result.structuredContent.outcome).toBe('declined');
  });

  test(`${cites('HTTP-SSE')} a change is announced`, async () => {
    await peer.request('resources/subscribe', { uri: 'fixture://readme' });
    await peer.request('tools/call', {
      name: 'change',
      arguments: { kind: 'resource', uri: 'fixture://readme' },
    });
    const { params } = await peer.heard('notifications/resources/updated');
    expect(params.uri).toBe('fixture://readme');
  });
});

test(`${cites('HTTP-SSE')} a message for a stream that is not there is refused`, async () => {
  await using served = await serveProgram(fixtureProgram);
  const response = await fetch(`${served.address}/messages?sessionId=nobody`, {
    method: 'POST',
    headers: served.headers,
    body: '{}',
  });
  expect(response.status).toBe(404);
  const { error } = (await response.json()) as { error: { data: { code: string } } };
  expect(error.data.code).toBe('session_not_found');
});
