import { type ServedProgram, serveProgram } from '@baton/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, initialize, modern, type Sent, send } from './http.ts';
import { fixtureProgram } from './programs.ts';
import { cites } from './requirements.ts';

let served: ServedProgram;
beforeAll(async () => {
  served = await serveProgram(fixtureProgram);
});
afterAll(() => served[Symbol.asyncDispose]());

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const echo = modern(1, 'tools/call', { name: 'echo', arguments: { text: 'x' } });

function without(sent: { headers: object; body: object }, header: string): Sent {
  return { ...sent, headers: { ...sent.headers, [header]: undefined } };
}

function withHeader(sent: { headers: object; body: object }, header: string, value: string): Sent {
  return { ...sent, headers: { ...sent.headers, [header]: value } };
}

function withMeta(meta: unknown): Sent {
  const { headers, body } = echo;
  return { headers, body: { ...body, params: { ...body.params, _meta: meta } } };
}

const message = (fields: object): Sent => ({ body: { jsonrpc: '2.0', ...fields } });

describe('what is wrong gets its status and its code', () => {
  test.each<[string, Sent, number, number, unknown]>([
    ['no JSON', { body: '{' }, 400, -32700, null],
    ['nothing', { body: '' }, 400, -32700, null],
    ['invalid UTF-8', { body: Buffer.from([0x22, 0xff, 0x22]) }, 400, -32700, null],
    ['a batch', { body: [call(1, 'echo')] }, 400, -32600, null],
    ['an empty batch', { body: [] }, 400, -32600, null],
    ['a number', { body: '7' }, 400, -32600, null],
    ['id null', message({ id: null, method: 'ping' }), 400, -32600, null],
    ['a fractional id', message({ id: 1.5, method: 'ping' }), 400, -32600, null],
    ['another jsonrpc', { body: { jsonrpc: '1.0', id: 1, method: 'ping' } }, 400, -32600, 1],
    ['no method', message({ id: 1 }), 400, -32600, 1],
    ['a method that is no string', message({ id: 1, method: 7 }), 400, -32600, 1],
    ['params that are a list', message({ id: 1, method: 'ping', params: [] }), 400, -32602, 1],
    ['old era: an unknown method', message({ id: 1, method: 'nope' }), 200, -32601, 1],
    [
      'old era: a notification with an id',
      message({ id: 1, method: 'notifications/x' }),
      200,
      -32601,
      1,
    ],
    ['old era: bad params', message({ id: 1, method: 'tools/call' }), 200, -32602, 1],
    [
      'old era: initialize with what is no text',
      message({ id: 1, method: 'initialize', params: { protocolVersion: { toString: 7 } } }),
      200,
      -32602,
      1,
    ],
    [
      'old era: a version that never was',
      { headers: { 'MCP-Protocol-Version': '1999-01-01' }, body: call(1, 'echo') },
      400,
      -32000,
      1,
    ],
    ['new era: an unknown method', modern(1, 'nope'), 404, -32601, 1],
    ['new era: a method of the old one', modern(1, 'ping'), 404, -32601, 1],
    ['new era: initialize', modern(1, 'initialize'), 404, -32601, 1],
    ['new era: subscribe', modern(1, 'resources/subscribe', { uri: 'x:y' }), 404, -32601, 1],
    ['new era: bad params', modern(1, 'tools/call', { name: 7 }), 200, -32602, 1],
    ['new era: an unknown tool', modern(1, 'tools/call', { name: 'nope' }), 200, -32602, 1],
    ['new era: an unknown resource', modern(1, 'resources/read', { uri: 'x:y' }), 200, -32602, 1],
    ['new era: no version in the header', without(echo, 'MCP-Protocol-Version'), 400, -32020, 1],
    ['new era: no method in the header', without(echo, 'Mcp-Method'), 400, -32020, 1],
    ['new era: no name in the header', without(echo, 'Mcp-Name'), 400, -32020, 1],
    [
      'new era: another version',
      withHeader(echo, 'MCP-Protocol-Version', '2025-11-25'),
      400,
      -32020,
      1,
    ],
    ['new era: another method', withHeader(echo, 'Mcp-Method', 'tools/list'), 400, -32020, 1],
    ['new era: another name', withHeader(echo, 'Mcp-Name', 'count'), 400, -32020, 1],
    [
      'new era: a name in broken Base64',
      withHeader(echo, 'Mcp-Name', '=?base64?ZWNob?='),
      400,
      -32020,
      1,
    ],
    [
      'initialize with a header of the new era',
      { headers: echo.headers, body: { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} } },
      400,
      -32020,
      1,
    ],
    ['new era: no _meta', withMeta(undefined), 400, -32602, 1],
    ['new era: _meta without version', withMeta({ [CAPABILITIES]: {} }), 400, -32602, 1],
    ['new era: _meta without capabilities', withMeta({ [VERSION]: '2026-07-28' }), 400, -32602, 1],
    [
      'new era: a version that is no string',
      withMeta({ [VERSION]: 7, [CAPABILITIES]: {} }),
      400,
      -32602,
      1,
    ],
    [
      'new era: a version that is not there yet',
      withHeader(
        withMeta({ [VERSION]: '2099-01-01', [CAPABILITIES]: {} }) as typeof echo,
        'MCP-Protocol-Version',
        '2099-01-01',
      ),
      400,
      -32022,
      1,
    ],
  ])(`${cites('T34', 'HTTP-STATUS')} %s`, async (_what, sent, status, code, id) => {
    const received = await send(served, sent);
    const [reply] = received.messages;
    expect([received.status, reply?.error?.code, reply?.id]).toEqual([status, code, id]);
  });

  test(`${cites('T34', 'ERA-VERSION')} an unsupported version comes with the supported ones`, async () => {
    const { headers } = echo;
    const { messages } = await send(served, {
      ...withMeta({ [VERSION]: '2099-01-01', [CAPABILITIES]: {} }),
      headers: { ...headers, 'MCP-Protocol-Version': '2099-01-01' },
    });
    expect(messages[0]?.error?.data).toEqual({
      supported: ['2026-07-28'],
      requested: '2099-01-01',
    });
  });

  test(`${cites('HTTP-STATUS')} a name that no header can carry comes in Base64`, async () => {
    const uri = 'fixture://note/ünknown';
    const { headers, body } = modern(1, 'resources/read', { uri });
    const encoded = `=?base64?${Buffer.from(uri).toString('base64')}?=`;
    const { messages } = await send(served, { headers: { ...headers, 'Mcp-Name': encoded }, body });
    expect(messages[0]?.error?.code).toBe(-32602);
  });

  test.each([['application/json'], ['text/event-stream'], ['text/html']])(
    `${cites('HTTP-STATUS')} a client that accepts only %s is told so`,
    async (accept) => {
      const { status, text } = await send(served, {
        ...echo,
        headers: { ...echo.headers, Accept: accept },
      });
      expect([status, JSON.parse(text).error.data.code]).toEqual([406, 'not_acceptable']);
    },
  );

  test.each([['*/*'], [undefined], ['application/*;q=0.9, text/*']])(
    `${cites('HTTP-STATUS')} a client that accepts %s is served`,
    async (accept) => {
      const headers = { ...echo.headers, Accept: accept };
      expect((await send(served, { ...echo, headers })).status).toBe(200);
    },
  );

  test(`${cites('HTTP-STATUS')} other methods and paths are refused with what there is`, async () => {
    const put = await send(served, { method: 'PUT' });
    expect([put.status, put.headers.allow]).toEqual([405, 'POST, GET, DELETE']);
    for (const path of ['/nowhere', '/mcp/', '/constructor', '/__proto__', '/mcp%2f']) {
      expect((await send(served, { path, body: {} })).status, path).toBe(404);
    }
    const health = await send(served, { method: 'GET', path: '/health' });
    expect(JSON.parse(health.text)).toMatchObject({ name: 'baton', status: 'ok' });
  });

  test(`${cites('STDIO-BARE-METHOD', 'HTTP-STATUS')} a bare alias runs its tool here too`, async () => {
    const { messages } = await send(
      served,
      message({ id: 1, method: 'getNextTask', params: { text: 'x' } }),
    );
    expect(messages[0]?.result).toEqual({ text: 'x', tags: [] });
  });

  test(`${cites('HTTP-STATUS')} what needs no answer is accepted`, async () => {
    const note = message({ method: 'notifications/initialized' });
    for (const sent of [note, { ...note, headers: echo.headers }, message({ id: 1, result: {} })]) {
      const { status, text } = await send(served, sent);
      expect([status, text]).toEqual([202, '']);
    }
  });
});

describe('sessions of the old era', () => {
  const inSession = (id: string) => ({ 'Mcp-Session-Id': id });

  test(`${cites('HTTP-SESSION')} begin with initialize and end with DELETE`, async () => {
    const session = await initialize(served);
    expect(session).toMatch(/^[\w-]+\.[\w-]{43}$/);
    const headers = inSession(session);
    const { messages } = await send(served, { headers, body: call(1, 'echo', { text: 'in' }) });
    expect(messages[0]?.result.structuredContent.text).toBe('in');
    expect((await send(served, { method: 'DELETE', headers })).status).toBe(204);
    for (const sent of [
      { headers, body: call(1, 'echo') },
      { headers, ...message({ method: 'notifications/initialized' }) },
      { method: 'GET', headers },
      { method: 'DELETE', headers },
    ]) {
      const received = await send(served, sent);
      expect([received.status, received.messages[0]?.error?.code]).toEqual([404, -32001]);
    }
  });

  test(`${cites('HTTP-SESSION')} need their header where it matters`, async () => {
    for (const method of ['GET', 'DELETE']) {
      const { status, messages } = await send(served, { method });
      expect([status, messages[0]?.error?.data.code]).toEqual([400, 'session_missing']);
      const { status: inNewEra } = await send(served, { method, headers: echo.headers });
      expect(inNewEra).toBe(405);
    }
  });

  test(`${cites('HTTP-SESSION', 'T35')} do not answer the questions of others`, async () => {
    const params = {
      name: 'confirm',
      arguments: { subject: 'go' },
      _meta: { [CAPABILITIES]: { elicitation: { form: {} } } },
    };
    const ask = async (more: object) =>
      (await send(served, modern(1, 'tools/call', { ...params, ...more }))).messages[0]?.result;
    const accept = (content: object) => ({ action: 'accept', content });
    const first = await ask({});
    const inputResponses = { sure: accept({ yes: true }) };
    const { requestState } = await ask({ requestState: first.requestState, inputResponses });
    const last = { requestState, inputResponses: { why: accept({ reason: 'I say so' }) } };
    const headers = inSession(await initialize(served, { elicitation: {} }));
    const { messages } = await send(served, {
      headers,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, ...last } },
    });
    expect(JSON.stringify(messages)).not.toContain('confirmed');
    // Where it belongs it is good, even after that.
    expect((await ask(last)).structuredContent.outcome).toBe('confirmed because I say so');
  });

  test(`${cites('HTTP-SESSION')} refuse an id that is in flight`, async () => {
    const headers = inSession(await initialize(served));
    const slow = send(served, { headers, body: call('same', 'slow', { ms: 600_000 }) });
    await served.program.until('the slow call', () =>
      served.program.stderr.includes('slow 600000 started'),
    );
    const { status, messages } = await send(served, { headers, body: call('same', 'echo') });
    expect([status, messages[0]?.error?.code]).toEqual([400, -32600]);
    const cancel = { method: 'notifications/cancelled', params: { requestId: 'same' } };
    expect((await send(served, { headers, ...message(cancel) })).status).toBe(202);
    const cancelled = await slow;
    expect([cancelled.status, cancelled.messages]).toEqual([200, []]);
  });

  test(`${cites('HTTP-SESSION')} that could not begin leave nothing behind`, async () => {
    const { headers, messages } = await send(
      served,
      message({ id: 1, method: 'initialize', params: { protocolVersion: 7 } }),
    );
    expect(messages[0]?.error?.code).toBe(-32602);
    const session = String(headers['mcp-session-id']);
    const { status } = await send(served, { headers: inSession(session), body: call(1, 'echo') });
    expect(status).toBe(404);
  });
});

describe('responses', () => {
  test(`${cites('HTTP-STREAM')} are JSON if nothing comes before the reply, else a stream`, async () => {
    const single = await send(served, echo);
    expect(single.headers['content-type']).toBe('application/json');
    const meta = { progressToken: 'p' };
    const counting = modern(2, 'tools/call', {
      name: 'count',
      arguments: { steps: 3 },
      _meta: meta,
    });
    const stream = await send(served, counting);
    expect(stream.headers['content-type']).toBe('text/event-stream');
    expect(stream.messages.map(({ method, id }) => method ?? id)).toEqual([
      ...Array(3).fill('notifications/progress'),
      2,
    ]);
  });
});
