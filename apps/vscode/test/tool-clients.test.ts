import { readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fixtureProgram } from '@baton/e2e/programs';
import { temporaryFolder } from '@baton/testkit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Launch } from '../src/launch.ts';
import { ToolClients } from '../src/tool-clients.ts';

let folder: ReturnType<typeof temporaryFolder>;
let clients: ToolClients;
let launch: Launch;
let lines: string[];
const never = new AbortController().signal;

beforeEach(() => {
  folder = temporaryFolder();
  lines = [];
  clients = new ToolClients({ version: '0.0.0', onLog: (line) => lines.push(line) });
  const env = { HOME: folder.path, BATON_STATE: path.join(folder.path, 'state') };
  const args = [fixtureProgram, 'stdio'];
  launch = { command: process.execPath, args, env, cwd: folder.path };
});
afterEach(async () => {
  await clients.retain([]);
  folder[Symbol.dispose]();
});

/** Its log file is named after it. */
function pidOfProgram(): Promise<number> {
  const logs = path.join(folder.path, 'state', 'logs');
  const look = () => {
    const [, pid] = /-(\d+)\.log$/.exec(readdirSync(logs)[0] ?? '') ?? [];
    if (!pid) throw new Error('no log yet');
    return Number(pid);
  };
  return vi.waitFor(look, { timeout: 20_000 });
}

test('calls made at once share one program, started by the first of them', async () => {
  const texts = ['a', 'b', 'c', 'd'];
  const results = await Promise.all(
    texts.map((text) => clients.call(launch, 'echo', { text }, never)),
  );
  expect(results.map(({ structuredContent }) => structuredContent)).toEqual(
    texts.map((text) => ({ text, tags: [] })),
  );
  expect(lines.filter((line) => line.includes('ready:'))).toHaveLength(1);
});

test('an aborted call ends at once, for the tool as well', async () => {
  const abort = new AbortController();
  const call = clients.call(launch, 'count', { steps: 1, hold: true }, abort.signal);
  await vi.waitFor(() => expect(lines.join()).toContain('ready:'), { timeout: 20_000 });
  abort.abort();
  await expect(call).rejects.toThrow();
  await expect(clients.call(launch, 'echo', { text: 'on' }, never)).resolves.toBeTruthy();
});

test('when the program dies its calls are rejected, and the next call has a new one', async () => {
  const call = clients.call(launch, 'count', { steps: 1, hold: true }, never);
  call.catch(() => {});
  await vi.waitFor(() => expect(lines.join()).toContain('ready:'), { timeout: 20_000 });
  process.kill(await pidOfProgram(), 'SIGKILL');
  await expect(call).rejects.toThrow();
  await expect(clients.call(launch, 'echo', { text: 'on' }, never)).resolves.toMatchObject({
    structuredContent: { text: 'on' },
  });
});

test('a program that is not retained ends, one that is stays', async () => {
  const other = { ...launch, env: { ...launch.env, BATON_READ_ONLY: 'true' } };
  await Promise.all([launch, other].map((one) => clients.call(one, 'echo', {}, never)));
  await clients.retain([other]);
  expect(lines.filter((line) => line.includes('bye'))).toHaveLength(1);
  await clients.call(other, 'echo', {}, never);
  expect(lines.filter((line) => line.includes('ready:'))).toHaveLength(2);
});

test('a program that refuses to start says why', async () => {
  const refused = { ...launch, env: { ...launch.env, BATON_LOG_LEVEL: 'loud' } };
  await expect(clients.call(refused, 'echo', {}, never)).rejects.toThrow(
    /config_invalid: Bad value for BATON_LOG_LEVEL.*Correct the value/,
  );
});

test('a program that cannot start rejects, and the next call tries again', async () => {
  const late = { ...launch, command: path.join(folder.path, 'late') };
  await expect(clients.call(late, 'echo', {}, never)).rejects.toThrow('ENOENT');
  symlinkSync(process.execPath, late.command);
  await expect(clients.call(late, 'echo', { text: 'on' }, never)).resolves.toMatchObject({
    structuredContent: { text: 'on' },
  });
});
