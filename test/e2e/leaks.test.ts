import { readdirSync } from 'node:fs';
import { type Program, startProgram } from '@baton/testkit';
import { expect, test } from 'vitest';
import { fixtureProgram } from './programs.ts';
import { cites } from './requirements.ts';

const CALLS = 20_000;
const BATCH = 1000;

/** What is left after garbage collection, and what is open. */
async function usage(running: Program) {
  running.replies.length = 0;
  const { result } = await running.request('memory', 'tools/call', { name: 'memory' });
  const handles = readdirSync(`/proc/${running.child.pid}/fd`).length;
  return { ...(result.structuredContent as { heapUsed: number; rss: number }), handles };
}

/** Calls of every kind, so that each path could leak. */
async function callAll(running: Program, from: number, count: number): Promise<void> {
  const names = ['echo', 'fail', 'crash', 'confirm', 'slow', 'nope', 'count'];
  for (let start = from; start < from + count; start += BATCH) {
    running.replies.length = 0;
    for (let id = start; id < start + BATCH; id++) {
      const name = names[id % names.length];
      const args =
        { slow: { ms: 0 }, count: { steps: 2 }, confirm: { subject: 'x' } }[name ?? ''] ?? {};
      const params = { name, arguments: args, _meta: { progressToken: id } };
      running.send({ id, method: 'tools/call', params });
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

test(`${cites('T44')} memory and handles stay flat over ${CALLS} calls`, async () => {
  await using running = startProgram(fixtureProgram, {
    env: { BATON_LOG_LEVEL: 'error' },
    // With a small nursery: V8 grows it as long as it likes, which looks like a leak and is none.
    nodeArgs: ['--expose-gc', '--max-semi-space-size=1'],
  });
  await callAll(running, 0, CALLS);
  const before = await usage(running);
  await callAll(running, CALLS, CALLS);
  const after = await usage(running);
  expect(after.handles).toBe(before.handles);
  expect(after.heapUsed).toBeLessThan(before.heapUsed * 1.2);
  expect(after.rss).toBeLessThan(before.rss * 1.2);
  expect(running.stderr).not.toContain('MaxListeners');
});
