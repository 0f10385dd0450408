import { readdirSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { type Program, type ServedProgram, serveProgram, startProgram } from '@baton/testkit';
import { expect, test } from 'vitest';
import { call, initialize, modern, send } from './http.ts';
import { fixtureProgram } from './programs.ts';
import { cites } from './requirements.ts';

const CALLS = 20_000;
/** Until every tool has been loaded, and every cache has what it keeps. */
const WARM_UP_CALLS = 5000;
const BATCH = 1000;
/**
 * Compiled code and bounded caches still grow by 40 to 80 bytes a call: words that were
 * searched for, for example. Without a collection the heap swings by 100 MB, so it is collected.
 */
const MAX_BYTES_A_CALL = 250;
const acme = path.resolve(import.meta.dirname, '../../examples/acme');

/** Calls of every kind, so that each path could leak: good, bad, cancelled, asking, crashing. */
const KINDS: readonly ((id: number) => { name: string; arguments: object })[] = [
  () => ({ name: 'echo', arguments: {} }),
  () => ({ name: 'fail', arguments: {} }),
  () => ({ name: 'crash', arguments: {} }),
  () => ({ name: 'confirm', arguments: { subject: 'x' } }),
  () => ({ name: 'slow', arguments: { ms: 0 } }),
  () => ({ name: 'nope', arguments: {} }),
  () => ({ name: 'count', arguments: { steps: 2 } }),
  () => ({ name: 'status', arguments: {} }),
  (id) => ({ name: 'ticket_create', arguments: { title: `Ticket ${id}`, body: 'x'.repeat(200) } }),
  () => ({ name: 'ticket_find', arguments: { limit: 5 } }),
  (id) => ({ name: 'ticket_find', arguments: { id: `T-${id + 1_000_000}` } }),
  () => ({ name: 'ticket_next', arguments: {} }),
  (id) => ({ name: 'knowledge_search', arguments: { query: `how do we log order ${id}` } }),
  () => ({ name: 'plan_list', arguments: {} }),
  (id) => ({ name: 'setting_get', arguments: { key: `editor.none${id}`, scope: 'workspace' } }),
  (id) => ({
    name: 'data_query',
    arguments: { sql: `select count(*) from people where ${id} > 1` },
  }),
];

/** What is left after garbage collection, and what is open. */
async function usage(running: Program) {
  running.replies.length = 0;
  const { result } = await running.request('memory', 'tools/call', { name: 'memory' });
  const handles = readdirSync(`/proc/${running.child.pid}/fd`).length;
  return { ...(result.structuredContent as { heapUsed: number; rss: number }), handles };
}

async function callAll(running: Program, from: number, count: number): Promise<void> {
  for (let start = from; start < from + count; start += BATCH) {
    running.replies.length = 0;
    for (let id = start; id < start + BATCH; id++) {
      const call = KINDS[id % KINDS.length]?.(id);
      running.send({ id, method: 'tools/call', params: { ...call, _meta: { progressToken: id } } });
      if (id % 50 === 0)
        running.send({ method: 'notifications/cancelled', params: { requestId: id } });
    }
    await running.request(`sync-${start}`, 'ping');
    await running.until('the batch', () => {
      const answered = running.replies.filter(
        ({ id, method }) => typeof id === 'number' && !method,
      );
      return answered.length >= BATCH - BATCH / 50;
    });
  }
}

test(`${cites('T44')} memory and handles stay flat over ${CALLS} calls, stdio`, async () => {
  await using running = startProgram(fixtureProgram, {
    args: ['stdio', '--workspace', acme],
    env: { BATON_LOG_LEVEL: 'error' },
    // With a small nursery: V8 grows it as long as it likes, which looks like a leak and is none.
    nodeArgs: ['--expose-gc', '--max-semi-space-size=1'],
  });
  await callAll(running, 0, WARM_UP_CALLS);
  const before = await usage(running);
  await callAll(running, WARM_UP_CALLS, CALLS);
  const after = await usage(running);
  expect(after.handles).toBe(before.handles);
  expect((after.heapUsed - before.heapUsed) / CALLS).toBeLessThan(MAX_BYTES_A_CALL);
  expect(after.rss).toBeLessThan(before.rss * 1.2);
  expect(running.stderr).not.toContain('MaxListeners');
}, 120_000);

async function usageOverHttp(served: ServedProgram, agent: http.Agent) {
  const { messages } = await send(served, {
    ...modern('m', 'tools/call', { name: 'memory' }),
    agent,
  });
  const handles = readdirSync(`/proc/${served.program.child.pid}/fd`).length;
  const { heapUsed, rss } = messages[0]?.result.structuredContent ?? {};
  return { heapUsed, rss, handles };
}

/** Sessions begun and ended, calls of both eras, calls that are given up, streams that are closed. */
async function useHttp(served: ServedProgram, agent: http.Agent, count: number): Promise<void> {
  let left = count;
  let made = 0;
  const nextCall = () => {
    made += 1;
    return KINDS[made % KINDS.length]?.(made) ?? { name: 'echo', arguments: {} };
  };
  const lane = async () => {
    while (left > 0) {
      left -= 20;
      const headers = { 'Mcp-Session-Id': await initialize(served) };
      for (let calls = 0; calls < 15; calls += 3) {
        const { name, arguments: args } = nextCall();
        await send(served, { headers, body: call(1, name, args), agent });
        await send(served, { ...modern(1, 'tools/call', nextCall()), agent });
        const _meta = { progressToken: 1 };
        await send(served, { ...modern(1, 'tools/call', { ...nextCall(), _meta }), agent });
      }
      await giveUp(served, {
        ...modern(1, 'tools/call', { name: 'slow', arguments: { ms: 1e6 } }),
      });
      await giveUp(served, { method: 'GET', headers });
      await send(served, { method: 'DELETE', headers, agent });
    }
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
}

/** Goes away as soon as the request is on its way. */
function giveUp(
  served: ServedProgram,
  { method = 'POST', headers, body }: { method?: string; headers: object; body?: object },
): Promise<void> {
  return new Promise((resolve) => {
    const request = http.request(new URL('/mcp', served.address), {
      method,
      headers: { ...served.headers, ...headers },
    });
    request.on('error', () => {});
    request.on('close', () => resolve());
    request.end(body && JSON.stringify(body), () => request.destroy());
  });
}

test(`${cites('T44')} memory and handles stay flat over ${CALLS} calls, HTTP`, async () => {
  await using served = await serveProgram(fixtureProgram, {
    args: ['--workspace', acme],
    env: { BATON_LOG_LEVEL: 'error' },
    nodeArgs: ['--expose-gc', '--max-semi-space-size=1'],
  });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  await useHttp(served, agent, WARM_UP_CALLS);
  const before = await usageOverHttp(served, agent);
  await useHttp(served, agent, CALLS);
  // What was given up last may still be on its way out.
  const handles = async () => (await usageOverHttp(served, agent)).handles;
  await expect.poll(handles, { timeout: 30_000 }).toBeLessThanOrEqual(before.handles);
  const after = await usageOverHttp(served, agent);
  expect((after.heapUsed - before.heapUsed) / CALLS).toBeLessThan(MAX_BYTES_A_CALL);
  expect(after.rss).toBeLessThan(before.rss * 1.2);
  expect(served.program.stderr).not.toContain('MaxListeners');
  agent.destroy();
}, 120_000);
