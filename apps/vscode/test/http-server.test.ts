import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { BatonError } from '@baton/core';
import { program } from '@baton/e2e/programs';
import { cites } from '@baton/e2e/requirements';
import { temporaryFolder } from '@baton/testkit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { HttpState } from '../src/http-server.ts';
import { HttpServers, type HttpWish } from '../src/http-servers.ts';

const TOKEN = 'test-token-0123456789-0123456789-abcdef';
let folder: ReturnType<typeof temporaryFolder>;
let states: HttpState[];
let lines: string[];
let servers: HttpServers;
let watch: () => void;

beforeEach(() => {
  folder = temporaryFolder();
  states = [];
  lines = [];
  watch = () => {};
  servers = createServers(() => TOKEN);
});
afterEach(async () => {
  await servers.set(new Map());
  folder[Symbol.dispose]();
});

function createServers(chooseToken: () => string): HttpServers {
  return new HttpServers({
    chooseToken,
    onLog: (line) => lines.push(line),
    onState: (state) => {
      states.push(state);
      watch();
    },
  });
}

function wishFor(port: number, name = '.'): [string, HttpWish] {
  const cwd = path.join(folder.path, name);
  const env = { HOME: folder.path, BATON_STATE: path.join(folder.path, 'state') };
  return [cwd, { port, launch: { command: process.execPath, args: [program], env, cwd } }];
}

function stateOf([cwd]: [string, HttpWish]): HttpState | undefined {
  return servers.servers.get(cwd)?.state;
}

async function running(wish: [string, HttpWish]) {
  await vi.waitFor(() => expect(stateOf(wish)?.kind).toBe('running'), { timeout: 20_000 });
  return stateOf(wish) as Extract<HttpState, { kind: 'running' }>;
}

function health(port: number): Promise<string> {
  return fetch(`http://127.0.0.1:${port}/health`).then(
    ({ status }) => String(status),
    () => 'none',
  );
}

async function listener(port = 0): Promise<{ port: number; server: Server }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { port: (server.address() as { port: number }).port, server };
}

test('starts on a free port, answers, and is gone after the wish for it', async () => {
  const wish = wishFor(0);
  await servers.set(new Map([wish]));
  const { port, url, clients } = await running(wish);
  expect(url).toBe(`http://127.0.0.1:${port}/mcp`);
  expect(clients.length).toBeGreaterThan(3);
  expect(await health(port)).toBe('200');
  await servers.set(new Map());
  expect(await health(port)).toBe('none');
  expect(servers.servers.size).toBe(0);
  expect(states.at(-1)).toEqual({ kind: 'stopped' });
});

test('a killed server comes back where it was, with the same token', async () => {
  const wish = wishFor(0);
  await servers.set(new Map([wish]));
  const first = await running(wish);
  const urls = new Set<string | undefined>();
  watch = () => urls.add(servers.servers.get(wish[0])?.url);
  process.kill(first.pid, 'SIGKILL');
  await vi.waitFor(async () => expect((await running(wish)).pid).not.toBe(first.pid), {
    timeout: 20_000,
  });
  expect((await running(wish)).port).toBe(first.port);
  expect(servers.servers.get(wish[0])?.token).toBe(TOKEN);
  expect(lines.join('\n')).toContain('started again');
  expect(states.map(({ kind }) => kind)).toEqual(['starting', 'running', 'starting', 'running']);
  expect([...urls]).toEqual([first.url]);
});

test('one that keeps dying is left alone after a few times, and says so', async () => {
  const wish = wishFor(0);
  await servers.set(new Map([wish]));
  for (let time = 0; time < 4; time++) {
    const { pid } = await running(wish);
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(stateOf(wish)).not.toMatchObject({ pid }), { timeout: 20_000 });
  }
  expect(stateOf(wish)).toMatchObject({ kind: 'failed', error: { code: 'server_ended' } });
});

test('a busy port fails with its owner, and the next try takes it when it is free', async () => {
  const { port, server } = await listener();
  const wish = wishFor(port);
  await servers.set(new Map([wish]));
  await servers.settled();
  expect(stateOf(wish)).toMatchObject({
    kind: 'failed',
    error: { code: 'port_in_use', message: expect.stringContaining(`process ${process.pid}`) },
  });
  await new Promise((resolve) => server.close(resolve));
  await servers.set(new Map([wish]));
  expect((await running(wish)).port).toBe(port);
});

test('a wish that changes at once, and often, ends with the last one', async () => {
  const { port, server } = await listener();
  await new Promise((resolve) => server.close(resolve));
  const last = wishFor(port);
  for (const wish of [wishFor(0), wishFor(port), wishFor(0)]) void servers.set(new Map([wish]));
  void servers.set(new Map());
  await servers.set(new Map([last]));
  expect((await running(last)).port).toBe(port);
  await Promise.all([servers.restart(), servers.restart()]);
  expect((await running(last)).port).toBe(port);
  expect(servers.servers.size).toBe(1);
});

test('what cannot be started says so: a folder that is gone, a token that cannot be read', async () => {
  const gone = wishFor(0, 'gone');
  await servers.set(new Map([gone]));
  await servers.settled();
  expect(stateOf(gone)).toMatchObject({ kind: 'failed', error: { code: 'server_ended' } });
  const other = createServers(() => {
    throw new BatonError('token_exposed', 'Others can read it.', 'Make a new one.');
  });
  await other.set(new Map([wishFor(0)]));
  expect(states.at(-1)).toMatchObject({ kind: 'failed', error: { code: 'token_exposed' } });
});

test(`${cites('T2')} the child gets the token by its environment only, and listens on this machine only`, async () => {
  const wish = wishFor(0);
  await servers.set(new Map([wish]));
  const { port, url } = await running(wish);
  expect(lines.join('\n')).not.toContain(TOKEN);
  expect(JSON.stringify(states)).not.toContain(TOKEN);
  const call = { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } };
  expect((await fetch(url, call)).status).toBe(401);
  const authorized = { ...call.headers, Authorization: `Bearer ${TOKEN}` };
  expect((await fetch(url, { ...call, headers: authorized })).status).not.toBe(401);
  await expect(fetch(`http://[::1]:${port}/health`)).rejects.toThrow();
});
