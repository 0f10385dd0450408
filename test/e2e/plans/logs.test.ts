import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import { PlanWorld } from './plan-world.ts';
import { residentBytes } from './processes.ts';

const MB = 1024 * 1024;
const OBEYED = /[\u0007\u001b\u009b\u202e]/;
const FLOOD_BYTES = Number(process.env['BATON_TEST_FLOOD_BYTES'] ?? 300_000_000);

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
}

test(`${cites('PLAN-LOGS', 'T25')} a flood of output fills neither memory nor disk, and others are served`, async () => {
  await using world = new PlanWorld();
  const server = world.server('auto');
  const plan = await server.create({
    jobs: [{ id: 'flood', work: `yes | head -c ${FLOOD_BYTES}; echo the end` }],
  });
  const { pid } = await world.theWorker();
  let largest = 0;
  let longestMs = 0;
  for (let isOver = false; !isOver; ) {
    const asked = performance.now();
    const { state } = await server.get(plan, { view: 'logs', job: 'flood' });
    longestMs = Math.max(longestMs, performance.now() - asked);
    largest = Math.max(largest, residentBytes(pid));
    isOver = state !== 'running';
  }
  expect(largest).toBeLessThan(300 * MB);
  expect(longestMs).toBeLessThan(5000);
  expect(bytesIn(path.join(world.state, 'job-logs'))).toBeLessThan(17 * MB);
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  const { logs } = await server.get(plan, { view: 'logs', job: 'flood' });
  expect(logs).toMatchObject({ truncated: true, isOver: true, end: FLOOD_BYTES + 8 });
  expect(logs.text.endsWith('y\ny\nthe end\n')).toBe(true);
});

test(`${cites('PLAN-LOGS')} output is read on from page to page to the byte, while it is written and after`, async () => {
  await using world = new PlanWorld();
  const line = 'Grüße, 世界 👍🏽 ½\n';
  const text = Array.from({ length: MB / Buffer.byteLength(line) }, (_, n) => `${n} ${line}`).join(
    '',
  );
  world.write('text', text);
  const server = world.server('auto');
  const plan = await server.create({ jobs: [{ id: 'speaker', work: 'cat text' }] });
  const live = await server.log(plan, 'speaker', { waitSeconds: 10 });
  expect(live.text === text).toBe(true);
  await server.ended(plan);
  const { text: read, pages } = await server.log(plan, 'speaker');
  expect(pages).toBeGreaterThan(100);
  // Not toBe: a difference of a megabyte is nothing to look at.
  expect(read === text).toBe(true);
  const { logs } = await server.get(plan, {
    view: 'logs',
    job: 'speaker',
    from: -Buffer.byteLength(line),
  });
  expect(logs).toMatchObject({ text: expect.stringContaining('👍🏽'), isOver: true });
});

test(`${cites('PLAN-LOGS', 'T29')} what a terminal would obey is shown and not obeyed, wherever output is read`, async () => {
  await using world = new PlanWorld();
  const server = world.server('auto');
  const evil = '\\033[2J\\033]0;x\\007\\r\\n[INFO] fake\\342\\200\\256\\377';
  const plan = await server.create({
    name: 'Plan \u001b[2J\u202e',
    jobs: [{ id: 'evil', name: '\u001b]0;x\u0007', work: `printf '${evil}'; exit 1` }],
  });
  await server.ended(plan);
  const uris = [`baton://plan/${plan}`, `baton://plan/${plan}/job/evil/log`];
  const read = await Promise.all([
    ...uris.map((uri) => server.request('resources/read', { uri })),
    ...['summary', 'logs', 'failure', 'job', 'graph'].map((view) =>
      server.request('tools/call', { name: 'plan_get', arguments: { plan, view, job: 'evil' } }),
    ),
    server.request('tools/call', { name: 'plan_list', arguments: {} }),
  ]);
  const terminal = await Promise.all([
    world.baton('plan', 'get', '--plan', plan, '--view', 'failure'),
    world.baton('plan', 'logs', plan, 'evil'),
    world.baton('plan', 'show', plan),
    world.baton('plan', 'list'),
  ]);
  for (const reply of read) expect(reply.result, JSON.stringify(reply)).toBeDefined();
  const obeyed = [...read, ...terminal].flatMap(texts).filter((text) => OBEYED.test(text));
  expect(obeyed).toEqual([]);
});

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}
