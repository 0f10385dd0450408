import { type Program, type Reply, startProgram } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import { fixtureProgram, program } from './programs.ts';
import { cites } from './requirements.ts';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

function modern(running: Program, id: number, method: string, params: object = {}): Promise<Reply> {
  return running.request(id, method, { ...params, _meta: META });
}

describe('the old era', () => {
  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    `${cites('ERA-LEGACY')} negotiates %s`,
    async (protocolVersion) => {
      await using running = startProgram(program);
      const { result } = await running.request(1, 'initialize', { protocolVersion });
      expect(result).toMatchObject({ protocolVersion, serverInfo: { name: 'baton' } });
      expect(result).not.toHaveProperty('resultType');
      expect(await running.request(2, 'ping')).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
    },
  );

  test(`${cites('ERA-LEGACY')} offers its newest version for one that it does not know`, async () => {
    await using running = startProgram(program);
    const { result } = await running.request(1, 'initialize', { protocolVersion: '1999-01-01' });
    expect(result.protocolVersion).toBe('2025-11-25');
  });
});

describe('the new era', () => {
  test(`${cites('ERA-MODERN')} is discovered and served without initialize`, async () => {
    await using running = startProgram(program);
    const { result } = await modern(running, 1, 'server/discover');
    expect(result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
      ttlMs: 300_000,
      cacheScope: 'private',
    });
    const list = await modern(running, 2, 'tools/list');
    expect(list.result).toMatchObject({ resultType: 'complete', cacheScope: 'private' });
    const called = await modern(running, 3, 'tools/call', { name: 'status' });
    expect(called.result).toMatchObject({
      resultType: 'complete',
      structuredContent: { version: expect.any(String) },
    });
  });

  test(`${cites('ERA-VERSION', 'T34')} an unsupported version is -32022, first or later`, async () => {
    await using running = startProgram(program);
    const odd = { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' } };
    const refusal = {
      error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2031-01-01' } },
    };
    expect(await running.request(1, 'tools/list', odd)).toMatchObject(refusal);
    await modern(running, 2, 'tools/list');
    expect(await running.request(3, 'tools/list', odd)).toMatchObject(refusal);
    expect(await running.request(4, 'subscriptions/listen', odd)).toMatchObject(refusal);
  });

  test(`${cites('ERA-META', 'T34')} a request without _meta is -32602 once the era is chosen`, async () => {
    await using running = startProgram(program);
    await modern(running, 1, 'tools/list');
    expect(await running.request(2, 'tools/list')).toMatchObject({ error: { code: -32602 } });
    const half = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
    expect(await running.request(3, 'tools/list', half)).toMatchObject({ error: { code: -32602 } });
    expect(await modern(running, 4, 'ping')).toMatchObject({ error: { code: -32601 } });
  });

  test(`${cites('ERA-FALLBACK')} after server/discover a client may go on with initialize`, async () => {
    await using running = startProgram(program);
    await modern(running, 1, 'server/discover');
    const { result } = await running.request(2, 'initialize', { protocolVersion: '2025-06-18' });
    expect(result.protocolVersion).toBe('2025-06-18');
    expect(await running.request(3, 'tools/list')).toMatchObject({
      result: { tools: expect.arrayContaining([expect.objectContaining({ name: 'status' })]) },
    });
  });

  test(`${cites('ERA-MODERN', 'STDIO-EOF')} a listening client gets its last word at the end`, async () => {
    await using running = startProgram(fixtureProgram);
    running.send({
      id: 'sub',
      method: 'subscriptions/listen',
      params: { _meta: META, notifications: { toolsListChanged: true } },
    });
    await running.notification('notifications/subscriptions/acknowledged');
    expect(await running.end()).toEqual({ code: 0, signal: null });
    expect(await running.reply('sub').catch(() => undefined)).toMatchObject({
      result: { resultType: 'complete' },
    });
  });

  test(`${cites('STDIO-BARE-METHOD')} a bare method may carry _meta too`, async () => {
    await using running = startProgram(fixtureProgram);
    const reply = await modern(running, 1, 'askQuestion', { question: 'Why?' });
    expect(reply.result).toEqual({ answer: 'You asked: Why?', chatId: 'chat-1' });
  });
});
