import http from 'node:http';
import { connect } from 'node:net';
import { type HttpOptions, serveHttp } from '@baton/mcp';
import { type createMemoryLog, type ServedProgram, serveProgram } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import { call, eventsIn, initialize, modern, type Sent, send } from './http.ts';
import { fixtureProgram } from './programs.ts';
import { cites } from './requirements.ts';
import { httpClients, testBaton } from './ways.ts';

/** A request whose response is looked at while it comes. */
async function begin(served: ServedProgram, sent: Sent) {
  const { method = 'POST', headers, body } = sent;
  const request = http.request(new URL('/mcp', served.address), {
    method,
    headers: { ...served.headers, ...headers } as http.OutgoingHttpHeaders,
  });
  request.on('error', () => {});
  request.end(body && JSON.stringify(body));
  let text = '';
  const listeners = new Set<() => void>();
  const ended = new Promise<string>((resolve) => {
    request.on('response', (response) => {
      response.on('data', (part: Buffer) => {
        text += part;
        for (const listener of [...listeners]) listener();
      });
      response.on('error', () => {});
      response.on('close', () => resolve(text));
    });
    request.on('close', () => resolve(text));
  });
  const until = (wanted: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (text.includes(wanted)) resolve();
      };
      listeners.add(look);
      look();
    });
  return { cut: () => request.destroy(), ended, until };
}

/** A server in this process, for what takes too long with the times that real ones have. */
async function serveHere(options: Partial<HttpOptions>) {
  const token = 'here-0123456789-0123456789-0123456789';
  const page = () => ({ html: '', contentSecurityPolicy: '' });
  const baton = testBaton();
  const log = baton.log as ReturnType<typeof createMemoryLog>;
  const server = await serveHttp(baton, { port: 0, token, page, ...options });
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  const served = { address: server.address, token, headers } as unknown as ServedProgram;
  const hasCut = () => log.entries.some(({ message }) => message.includes('stopped reading'));
  return { served, server, baton, log, hasCut, [Symbol.asyncDispose]: () => server.close() };
}

const slowCall = { name: 'slow', arguments: { ms: 600_000 } };

describe('closing a response', () => {
  test.each(['old', 'new'])(
    `${cites('T32', 'HTTP-STREAM', 'CANCEL')} cancels its call, %s era`,
    async (era) => {
      await using served = await serveProgram(fixtureProgram);
      const { program } = served;
      const sent =
        era === 'new'
          ? modern(1, 'tools/call', slowCall)
          : {
              headers: { 'Mcp-Session-Id': await initialize(served) },
              body: call(1, 'slow', slowCall.arguments),
            };
      const request = await begin(served, sent);
      await program.until('the call', () => program.stderr.includes('slow 600000 started'));
      request.cut();
      await program.until('the end of it', () => program.stderr.includes('slow 600000 cancelled'));
      expect((await send(served, modern(2, 'tools/call', { name: 'echo' }))).status).toBe(200);
    },
  );

  test(`${cites('HTTP-STREAM', 'LIST-CHANGED')} ends a subscription`, async () => {
    await using served = await serveProgram(fixtureProgram);
    const listen = await begin(
      served,
      modern('sub', 'subscriptions/listen', { notifications: { toolsListChanged: true } }),
    );
    await listen.until('notifications/subscriptions/acknowledged');
    await send(served, modern(1, 'tools/call', { name: 'change', arguments: { kind: 'tools' } }));
    await listen.until('notifications/tools/list_changed');
    listen.cut();
    await send(served, modern(2, 'tools/call', { name: 'change', arguments: { kind: 'tools' } }));
    expect((await listen.ended).match(/list_changed/g)).toHaveLength(1);
  });
});

describe('a quiet response', () => {
  test(`${cites('HTTP-STREAM')} is kept alive until its reply comes`, async () => {
    await using here = await serveHere({ keepAliveMs: 20 });
    const waiting = await begin(here.served, modern(1, 'tools/call', slowCall));
    await waiting.until(': keep-alive\n\n: keep-alive\n\n');
    await here.server.close();
    const [reply] = eventsIn(await waiting.ended).map((data) => JSON.parse(data));
    expect(reply).toMatchObject({ id: 1, error: { code: -32000 } });
  });

  test(`${cites('HTTP-STREAM', 'HTTP-SESSION')} as the stream of a session, too`, async () => {
    await using here = await serveHere({ keepAliveMs: 20 });
    const headers = { 'Mcp-Session-Id': await initialize(here.served) };
    const stream = await begin(here.served, { method: 'GET', headers });
    await stream.until(': keep-alive');
    await send(here.served, { headers, body: call(1, 'change', { kind: 'tools' }) });
    await stream.until('notifications/tools/list_changed');
    stream.cut();
    expect((await stream.ended).startsWith(': keep-alive')).toBe(true);
  });
});

describe('a client that takes its time', () => {
  test(`${cites('T38')} with its last reply is cut off`, async () => {
    await using here = await serveHere({ keepAliveMs: 100 });
    const request = http.request(new URL('/mcp', here.served.address), {
      method: 'POST',
      headers: here.served.headers,
    });
    request.end(JSON.stringify(call(1, 'echo', { text: 'x'.repeat(1000), times: 30_000 })));
    const response = await new Promise<http.IncomingMessage>((resolve) => {
      request.on('response', resolve);
    });
    const ended = new Promise((resolve) => response.on('error', resolve).on('end', resolve));
    await expect.poll(here.hasCut, { timeout: 30_000 }).toBe(true);
    response.resume();
    expect(await ended).toMatchObject({ code: 'ECONNRESET' });
  });

  test(`${cites('T38')} with its headers is cut off, while others are served`, async () => {
    await using here = await serveHere({ headersTimeoutMs: 100 });
    const { port, hostname } = new URL(here.served.address);
    const loris = connect(Number(port), hostname, () =>
      loris.write('POST /mcp HTTP/1.1\r\nHost: '),
    );
    const drip = setInterval(() => loris.write('x'), 10);
    loris.on('error', () => {});
    loris.resume();
    expect((await send(here.served, modern(1, 'tools/call', { name: 'echo' }))).status).toBe(200);
    await new Promise((resolve) => loris.on('close', resolve));
    clearInterval(drip);
    expect((await send(here.served, modern(2, 'tools/call', { name: 'echo' }))).status).toBe(200);
  });

  test(`${cites('T38')} with reading is cut off, even if little waits for it`, async () => {
    await using here = await serveHere({ keepAliveMs: 50 });
    const { served, baton } = here;
    const headers = { 'Mcp-Session-Id': await initialize(served) };
    const uri = `fixture://note/${'x'.repeat(8000)}`;
    const subscribe = { jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri } };
    await send(served, { headers, body: subscribe });
    const request = http.request(new URL('/mcp', served.address), {
      headers: { ...served.headers, ...headers },
    });
    const response = await new Promise<http.IncomingMessage>((resolve) => {
      request.on('response', resolve).end();
    });
    const cut = new Promise((resolve) => response.on('error', resolve).on('close', resolve));
    // As much as the system takes for a client that is away, and little more: below the limit.
    const filling = setInterval(() => {
      if (!here.hasCut()) baton.changes.publish({ kind: 'resource', uri });
    }, 1);
    await expect.poll(here.hasCut, { timeout: 50_000 }).toBe(true);
    clearInterval(filling);
    response.resume();
    await cut;
    expect((await send(served, { headers, body: call(2, 'echo') })).status).toBe(200);
  });
});

describe('a restart', () => {
  const elicit = () => ({ action: 'accept' as const, content: { yes: false } });

  test.each(httpClients)(
    `${cites('HTTP-SESSION')} goes unnoticed by $name, if the token stays`,
    async (client) => {
      const first = await serveProgram(fixtureProgram);
      const peer = await client.connect(first, { elicit });
      await peer.request('tools/call', { name: 'echo' });
      await first[Symbol.asyncDispose](); // As hard as kill -9.
      const { port } = new URL(first.address);
      await using again = await serveProgram(fixtureProgram, { args: ['--port', port] });
      const { structuredContent } = await peer.request('tools/call', {
        name: 'confirm',
        arguments: { subject: 'go on' },
      });
      expect(structuredContent).toEqual({ outcome: 'declined' });
      expect(again.address).toBe(first.address);
      await peer.close();
    },
  );
});

test(`${cites('HTTP-SESSION')} an unused session is put away, and its id goes on working`, async () => {
  await using here = await serveHere({ keepAliveMs: 10, sessionIdleMs: 0 });
  const headers = { 'Mcp-Session-Id': await initialize(here.served) };
  const isPutAway = () => here.log.entries.some(({ message }) => message.includes('put away'));
  await expect.poll(isPutAway, { timeout: 30_000 }).toBe(true);
  expect((await send(here.served, { headers, body: call(1, 'echo') })).status).toBe(200);
});

test(`${cites('HTTP-SESSION', 'RESOURCES-SUBSCRIBE')} a session that is put away leaves no watch`, async () => {
  await using here = await serveHere({ keepAliveMs: 10, sessionIdleMs: 0 });
  const headers = { 'Mcp-Session-Id': await initialize(here.served) };
  const params = { uri: 'fixture://counter/unused' };
  const body = { jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params };
  expect((await send(here.served, { headers, body })).status).toBe(200);
  const isOver = () =>
    here.log.entries.some(({ message }) => message.includes('no longer watched'));
  await expect.poll(isOver, { timeout: 30_000 }).toBe(true);
});

describe('told to stop', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    `${cites('HTTP-STOP')} by %s, the server answers what it can and exits with 0`,
    async (signal) => {
      await using served = await serveProgram(fixtureProgram);
      const { program } = served;
      const headers = { 'Mcp-Session-Id': await initialize(served) };
      const stream = await begin(served, { method: 'GET', headers });
      const listen = await begin(
        served,
        modern('sub', 'subscriptions/listen', { notifications: { toolsListChanged: true } }),
      );
      await listen.until('acknowledged');
      const waiting = send(served, { headers, body: call(1, 'wait', { waitSeconds: 50 }) });
      const stubborn = send(served, modern(2, 'tools/call', { name: 'stubborn' }));
      const slow = send(served, modern(3, 'tools/call', { name: 'slow', arguments: { ms: 300 } }));
      await program.until('the calls', () => program.stderr.includes('slow 300 started'));
      program.child.kill(signal);
      expect((await waiting).messages[0]?.result.structuredContent).toEqual({ state: 'pending' });
      expect((await slow).messages[0]?.result.structuredContent).toEqual({ waited: true });
      expect((await stubborn).messages[0]?.error).toMatchObject({
        code: -32000,
        data: { code: 'shutting_down' },
      });
      expect(eventsIn(await listen.ended).at(-1)).toContain('"id":"sub"');
      await stream.ended;
      expect(await program.exited).toEqual({ code: 0, signal: null });
    },
  );

  test(`${cites('HTTP-STOP')} what comes too late is told so`, async () => {
    await using served = await serveProgram(fixtureProgram);
    const { program } = served;
    const stubborn = send(served, modern(1, 'tools/call', { name: 'stubborn' }));
    const body = JSON.stringify(call(2, 'echo'));
    const late = http.request(new URL('/mcp', served.address), {
      method: 'POST',
      headers: { ...served.headers, 'Content-Length': body.length, Expect: '100-continue' },
    });
    const answered = new Promise<http.IncomingMessage>((resolve) => late.on('response', resolve));
    await new Promise((resolve) => late.on('continue', resolve).flushHeaders());
    program.child.kill('SIGTERM');
    await program.until('the signal', () => program.stderr.includes('shutting down'));
    late.end(body);
    const response = await answered;
    expect(response.statusCode).toBe(503);
    response.resume();
    await stubborn;
    expect(await program.exited).toEqual({ code: 0, signal: null });
  });

  test(`${cites('HTTP-STOP')} a client that does not read cannot keep it`, async () => {
    await using served = await serveProgram(fixtureProgram);
    const request = http.request(new URL('/mcp', served.address), {
      method: 'POST',
      headers: served.headers,
    });
    request.on('error', () => {});
    request.end(JSON.stringify(call(1, 'echo', { text: 'x'.repeat(1000), times: 30_000 })));
    await new Promise((resolve) => request.on('response', resolve));
    served.program.child.kill('SIGTERM');
    expect(await served.program.exited).toEqual({ code: 0, signal: null });
    request.destroy();
  });
});
