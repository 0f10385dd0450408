import { serveInMemory } from '@baton/mcp';
import { type ServedProgram, serveProgram, startProgram } from '@baton/testkit';
import type { Transport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { initialize, modern, send } from './http.ts';
import { fixtureProgram } from './programs.ts';
import { cites } from './requirements.ts';
import { connectV2, httpClients, type Peer, sseWay, testBaton, type Way, ways } from './ways.ts';

const id = 'RESOURCES-SUBSCRIBE';
const uriOf = (name: string) => `fixture://counter/${name}`;

/** Returns what ends the subscription. */
async function subscribe(peer: Peer, era: Way['era'], name: string): Promise<() => Promise<void>> {
  const uri = uriOf(name);
  if (era === 'modern') {
    const subscription = await peer.listen({ resourceSubscriptions: [uri] });
    return () => subscription.close();
  }
  await peer.request('resources/subscribe', { uri });
  return () => peer.request('resources/unsubscribe', { uri });
}

async function callTool(peer: Peer, name: string, args: object) {
  const { structuredContent } = await peer.request('tools/call', { name, arguments: args });
  return structuredContent;
}

const bump = (peer: Peer, name: string, times = 1) =>
  callTool(peer, 'counter_bump', { name, times });
const watchesOf = (peer: Peer, name: string) => callTool(peer, 'counter_watches', { name });

async function untilAlive(peer: Peer, name: string, count: number): Promise<void> {
  const alive = async () => (await watchesOf(peer, name)).alive;
  await expect.poll(alive, { timeout: 30_000 }).toBe(count);
}

/** All of them have begun and ended. */
async function untilOver(peer: Peer, name: string, count: number): Promise<void> {
  const watches = () => watchesOf(peer, name);
  await expect.poll(watches, { timeout: 30_000 }).toEqual({ alive: 0, begun: count });
}

function heard(peer: Peer, name: string): number {
  return peer.notifications.filter(
    ({ method, params }) =>
      method === 'notifications/resources/updated' && params.uri === uriOf(name),
  ).length;
}

/** More than once, because the beginning of a watch is heard, too. */
async function expectToHear(peer: Peer, name: string, by = peer): Promise<void> {
  for (let time = 0; time < 2; time++) {
    const before = heard(peer, name);
    await bump(by, name);
    await expect.poll(() => heard(peer, name), { timeout: 30_000 }).toBeGreaterThan(before);
  }
}

describe.each([...ways, sseWay])('a watched resource over $name', ({ open, era }) => {
  let peer: Peer;
  beforeAll(async () => {
    peer = await open();
  });
  afterAll(() => peer.close());

  test(`${cites(id)} its changes are heard while subscribed, not before or after`, async () => {
    await bump(peer, 'a');
    expect(await watchesOf(peer, 'a')).toEqual({ alive: 0, begun: 0 });
    const unsubscribe = await subscribe(peer, era, 'a');
    await expectToHear(peer, 'a');
    await unsubscribe();
    await untilAlive(peer, 'a', 0);
    const before = heard(peer, 'a');
    await bump(peer, 'a');
    await subscribe(peer, era, 'another');
    await expectToHear(peer, 'another');
    expect(heard(peer, 'a')).toBe(before);
  });

  test(`${cites(id)} two subscriptions share one watch`, async () => {
    const [first, second] = [
      await subscribe(peer, era, 'shared'),
      await subscribe(peer, era, 'shared'),
    ];
    await expectToHear(peer, 'shared');
    expect(await watchesOf(peer, 'shared')).toEqual({ alive: 1, begun: 1 });
    await first();
    if (era === 'modern') await expectToHear(peer, 'shared');
    await second();
    await untilAlive(peer, 'shared', 0);
  });

  test(`${cites(id)} a watch that fails breaks nothing`, async () => {
    const unsubscribe = await subscribe(peer, era, 'unwatchable');
    await subscribe(peer, era, 'beside it');
    await expectToHear(peer, 'beside it');
    await bump(peer, 'unwatchable');
    await unsubscribe();
    expect(heard(peer, 'unwatchable')).toBe(0);
  });

  test(`${cites(id)} a burst of changes is heard a few times, and its end always`, async () => {
    await subscribe(peer, era, 'busy');
    await expectToHear(peer, 'busy');
    const before = heard(peer, 'busy');
    await bump(peer, 'busy', 1000);
    await expect.poll(() => heard(peer, 'busy'), { timeout: 30_000 }).toBeGreaterThan(before);
    await subscribe(peer, era, 'quiet');
    await expectToHear(peer, 'quiet');
    expect(heard(peer, 'busy') - before).toBeLessThan(10);
    const { contents } = await peer.request('resources/read', { uri: uriOf('busy') });
    expect(contents[0].text).toBe('1002');
  });

  test(`${cites(id, 'T44')} 200 subscriptions that end leave nothing behind`, async () => {
    for (let cycle = 0; cycle < 200; cycle++) {
      const unsubscribe = await subscribe(peer, era, 'cycle');
      await unsubscribe();
    }
    await untilOver(peer, 'cycle', 200);
  });
});

describe.each(ways.filter(({ name }) => name.startsWith('in memory')))(
  'many subscriptions $name',
  ({ open, era }) => {
    test(`${cites(id)} are 1,000, not more`, async () => {
      const peer = await open();
      const uris = Array.from({ length: 1001 }, (_, index) => uriOf(`many-${index}`));
      const all =
        era === 'modern'
          ? peer.listen({ resourceSubscriptions: uris })
          : Promise.all(uris.map((uri) => peer.request('resources/subscribe', { uri })));
      await expect(all).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('At most 1000 subscriptions'),
      });
      await untilAlive(peer, 'many-1000', 0);
      await untilAlive(peer, 'many-0', era === 'modern' ? 0 : 1);
      await peer.close();
    });
  },
);

function connectModern(served: ServedProgram): Promise<Peer> {
  const [client] = httpClients.filter(({ era }) => era === 'modern');
  if (!client) throw new Error('no client of the new era');
  return client.connect(served, {});
}

describe('clients of one server', () => {
  test(`${cites(id)} share one watch and all hear, whatever their era`, async () => {
    await using served = await serveProgram(fixtureProgram);
    const clients = await Promise.all(
      httpClients.map(async ({ connect, era }) => {
        const peer = await connect(served, {});
        return { peer, era, unsubscribe: await subscribe(peer, era, 'shared') };
      }),
    );
    const observer = await connectModern(served);
    for (const { peer } of clients) await expectToHear(peer, 'shared', observer);
    expect(await watchesOf(observer, 'shared')).toEqual({ alive: 1, begun: 1 });
    const [last, ...others] = clients;
    for (const { unsubscribe } of others) await unsubscribe();
    if (last) await expectToHear(last.peer, 'shared', observer);
    await last?.unsubscribe();
    await untilAlive(observer, 'shared', 0);
    for (const { peer } of clients) await peer.close();
    await observer.close();
  });
});

describe('no watch is left', () => {
  test(`${cites(id)} of a client over HTTP that goes away, new era`, async () => {
    await using served = await serveProgram(fixtureProgram);
    const leaving = await connectModern(served);
    const observer = await connectModern(served);
    await subscribe(leaving, 'modern', 'left');
    await untilAlive(observer, 'left', 1);
    await leaving.close();
    await untilAlive(observer, 'left', 0);
    await observer.close();
  });

  test(`${cites(id, 'HTTP-SESSION')} of a session that ends, nor of a request without one`, async () => {
    await using served = await serveProgram(fixtureProgram);
    const observer = await connectModern(served);
    const headers = { 'Mcp-Session-Id': await initialize(served) };
    const body = (name: string) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/subscribe',
      params: { uri: uriOf(name) },
    });
    await send(served, { headers, body: body('session') });
    await untilAlive(observer, 'session', 1);
    await send(served, { method: 'DELETE', headers });
    await untilAlive(observer, 'session', 0);
    await send(served, { body: body('stateless') });
    await untilOver(observer, 'stateless', 1);
    await observer.close();
  });

  test(`${cites(id, 'HTTP-SSE')} of a stream that ends`, async () => {
    await using served = await serveProgram(fixtureProgram);
    const observer = await connectModern(served);
    const leaving = await sseWay.connect(served, {});
    await subscribe(leaving, 'legacy', 'stream');
    await untilAlive(observer, 'stream', 1);
    await leaving.close();
    await untilAlive(observer, 'stream', 0);
    await observer.close();
  });

  test.each(['legacy', 'modern'] as const)(
    `${cites(id)} of a client in the same process that goes away, %s`,
    async (era) => {
      const baton = testBaton();
      const connect = () => connectV2(serveInMemory(baton).client as Transport, era, {});
      const leaving = await connect();
      const observer = await connect();
      await subscribe(leaving, era, 'left');
      await untilAlive(observer, 'left', 1);
      await leaving.close();
      await untilAlive(observer, 'left', 0);
      await observer.close();
    },
  );

  test.each(['legacy', 'modern'] as const)(
    `${cites(id, 'STDIO-EOF')} at the end of input, %s`,
    async (era) => {
      await using running = startProgram(fixtureProgram);
      const uri = uriOf('left');
      if (era === 'legacy') {
        await running.request(1, 'initialize', { protocolVersion: '2025-11-25' });
        await running.request(2, 'resources/subscribe', { uri });
      } else {
        running.send(listen('sub', [uri]));
      }
      await running.until('the watch', () => running.stderr.includes('left is watched'));
      expect(await running.end()).toEqual({ code: 0, signal: null });
      expect(running.stderr).toContain('left is no longer watched');
    },
  );

  test(`${cites(id, 'CANCEL')} of what is cancelled before it was begun`, async () => {
    await using running = startProgram(fixtureProgram);
    const cancel = { method: 'notifications/cancelled', params: { requestId: 'sub' } };
    const lines = [listen('sub', [uriOf('a')]), cancel, listen('sub', [uriOf('b')]), cancel];
    running.write(lines.map((line) => `${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`).join(''));
    const watches = async (name: string) => {
      const call = modern(`ask-${name}-${running.replies.length}`, 'tools/call', {
        name: 'counter_watches',
        arguments: { name },
      }).body;
      const { result } = await running.request(call.id, call.method, call.params);
      return result.structuredContent;
    };
    for (const name of ['a', 'b']) {
      const over = { alive: 0, begun: 1 };
      await expect.poll(() => watches(name), { timeout: 30_000 }).toEqual(over);
    }
  });

  test(`${cites(id)} of what was refused`, async () => {
    await using running = startProgram(fixtureProgram);
    const { params, ...request } = listen('sub', [uriOf('a')]);
    const wrong = { ...params, notifications: { ...params.notifications, toolsListChanged: 1 } };
    running.send({ ...request, params: wrong });
    expect(await running.reply('sub')).toMatchObject({ error: { code: -32602 } });
    await running.until('the end', () => running.stderr.includes('a is no longer watched'));
  });
});

function listen(requestId: string, uris: readonly string[]) {
  const notifications = { resourceSubscriptions: uris };
  const { id, method, params } = modern(requestId, 'subscriptions/listen', { notifications }).body;
  return { id, method, params: { ...params, notifications } };
}
