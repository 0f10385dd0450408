import { type Reply, serveProgram, startProgram } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import { initialize, modern, send } from './http.ts';
import { fixtureProgram } from './programs.ts';
import { cites } from './requirements.ts';

interface Line extends AsyncDisposable {
  request(id: number, method: string, params?: Record<string, unknown>): Promise<Reply>;
}

async function overStdio(): Promise<Line> {
  const running = startProgram(fixtureProgram);
  return {
    request: (id, method, params) => running.request(id, method, params),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

async function overHttp(how: 'alone' | 'in a session' | 'new era'): Promise<Line> {
  const served = await serveProgram(fixtureProgram);
  const headers = how === 'in a session' ? { 'Mcp-Session-Id': await initialize(served) } : {};
  return {
    async request(id, method, params = {}) {
      const old = { headers, body: { jsonrpc: '2.0', id, method, params } };
      const sent = how === 'new era' ? modern(id, method, params) : old;
      const { messages } = await send(served, sent);
      return messages[0] as Reply;
    },
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}

describe.each([
  { over: 'stdio', open: overStdio },
  { over: 'HTTP, alone', open: () => overHttp('alone') },
  { over: 'HTTP, in a session', open: () => overHttp('in a session') },
  { over: 'HTTP, new era', open: () => overHttp('new era') },
])('bare calls over $over', ({ open }) => {
  test(`${cites('ALIAS-SHAPE', 'STDIO-BARE-METHOD')} speak the old shape both ways`, async () => {
    await using line = await open();
    const params = { what: 'ha', howOften: 3 };
    const said = { jsonrpc: '2.0', id: 1, result: { said: 'hahaha' } };
    expect(await line.request(1, 'sayOften', params)).toEqual(said);
    const nothing = { jsonrpc: '2.0', id: 2, result: null };
    expect(await line.request(2, 'sayOften')).toEqual(nothing);
    expect(await line.request(2, 'sayNothing', { text: 'x' })).toEqual(nothing);
  });

  test(`${cites('ALIAS-SHAPE')} fail as every bare call does`, async () => {
    await using line = await open();
    const wrong = await line.request(1, 'sayOften', { what: 5, wat: 'ha' });
    expect(wrong).toMatchObject({
      id: 1,
      error: { code: -32602, data: { code: 'invalid_input' } },
    });
    expect(wrong.error?.message).toMatch(/for echo:.* text: .*"wat"/);
    for (const method of ['cannotAsk', 'cannotAnswer']) {
      const fault = await line.request(2, method);
      expect(fault).toMatchObject({ id: 2, error: { code: -32603 } });
      expect(fault.error?.message).toMatch(/failed inside Baton \(fault [\da-f-]{36}\)/);
      expect(JSON.stringify(fault)).not.toContain('alice');
    }
  });
});
