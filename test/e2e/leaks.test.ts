import { readdirSync, readFileSync } from 'node:fs';
import { type Program, startProgram } from '@baton/testkit';
import { expect, test } from 'vitest';
import { fixtureProgram } from './programs.ts';
import { cites } from './requirements.ts';

const CALLS = 20_000;
const BATCH = 1000;

function usage({ child: { pid } }: Program) {
  const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { rssKiB: Number(rss), handles: readdirSync(`/proc/${pid}/fd`).length };
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
  await using running = startProgram(fixtureProgram, { env: { BATON_LOG_LEVEL: 'error' } });
  await callAll(running, 0, 6000);
  const before = usage(running);
  await callAll(running, 6000, CALLS);
  const after = usage(running);
  expect(after.handles).toBe(before.handles);
  expect(after.rssKiB).toBeLessThan(before.rssKiB * 1.2);
  expect(running.stderr).not.toContain('MaxListeners');
});
