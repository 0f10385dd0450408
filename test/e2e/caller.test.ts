import { spawnSync } from 'node:child_process';
import { type ServedProgram, serveProgram, startProgram, temporaryFolder } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import { call, initialize, modern, type Sent, send } from './http.ts';
import { fixtureProgram } from './programs.ts';
import { cites } from './requirements.ts';
import { httpClients, type Peer, sseWay, ways } from './ways.ts';

const RANDOM = /^([\da-f-]{36}|[\w-]{43})$/;
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

async function callerOver(peer: Peer) {
  return (await peer.request('tools/call', { name: 'caller' })).structuredContent;
}

async function callerBehind(served: ServedProgram, sent: Sent) {
  return (await send(served, sent)).messages[0]?.result.structuredContent;
}

const isStateless = (name: string) => name.startsWith('HTTP, new era');

describe.each([...ways, sseWay].filter(({ name }) => !isStateless(name)))('$name', ({ open }) => {
  test(`${cites('CALLER')} a connection is the same in all its calls, and no other is`, async () => {
    const [one, other] = await Promise.all([open(), open()]);
    const first = await callerOver(one);
    expect(first).toEqual({ connection: expect.stringMatching(RANDOM), name: 'e2e' });
    expect(await callerOver(one)).toEqual(first);
    expect((await callerOver(other)).connection).not.toBe(first.connection);
    await Promise.all([one.close(), other.close()]);
  });
});

describe.each([...httpClients, sseWay])('$name, on one server', ({ name, connect }) => {
  test(`${cites('CALLER')} clients are told apart where they have connections`, async () => {
    await using served = await serveProgram(fixtureProgram);
    const peers = await Promise.all([connect(served, {}), connect(served, {})]);
    const callers = await Promise.all(peers.map(callerOver));
    const connections = new Set(callers.map(({ connection }) => connection));
    expect(connections.size).toBe(isStateless(name) ? 1 : 2);
    expect(connections.has(undefined)).toBe(isStateless(name));
    expect(callers.map((caller) => caller.name)).toEqual(['e2e', 'e2e']);
    await Promise.all(peers.map((peer) => peer.close()));
  });
});

describe('HTTP', () => {
  test(`${cites('CALLER', 'HTTP-SESSION')} a session stays the same caller after a restart`, async () => {
    const ask = (served: ServedProgram, session: string) =>
      callerBehind(served, { headers: { 'Mcp-Session-Id': session }, body: call(1, 'caller') });
    let session: string;
    let before: unknown;
    {
      await using served = await serveProgram(fixtureProgram);
      session = await initialize(served);
      before = await ask(served, session);
    }
    await using served = await serveProgram(fixtureProgram);
    expect(before).toEqual({ connection: expect.stringMatching(RANDOM), name: 'raw' });
    expect(await ask(served, session)).toEqual(before);
    expect(JSON.stringify(before)).not.toContain(session);
  });

  test(`${cites('CALLER')} requests that stand alone have a name at most, and not a long one`, async () => {
    await using served = await serveProgram(fixtureProgram);
    expect(await callerBehind(served, { body: call(1, 'caller') })).toEqual({});
    const asked = (meta: object) => modern(1, 'tools/call', { name: 'caller', _meta: meta });
    expect(await callerBehind(served, asked({}))).toEqual({});
    const info = { name: 'n'.repeat(1000), version: '1' };
    expect(await callerBehind(served, asked({ [CLIENT_INFO]: info }))).toEqual({
      name: 'n'.repeat(100),
    });
  });
});

describe('stdio', () => {
  test(`${cites('CALLER')} who does not introduce itself has no name`, async () => {
    for (const hello of [undefined, {}]) {
      await using running = startProgram(fixtureProgram);
      if (hello) await running.request(0, 'initialize', hello);
      const { result } = await running.request(1, 'tools/call', { name: 'caller' });
      expect(result.structuredContent).toEqual({ connection: expect.stringMatching(RANDOM) });
    }
  });

  test.each([[5], [{ name: {} }], ['me']])(
    `${cites('CALLER')} %j in _meta of the old era is no name`,
    async (info) => {
      await using running = startProgram(fixtureProgram);
      await running.request(0, 'initialize', {});
      const params = { name: 'caller', _meta: { [CLIENT_INFO]: info } };
      const { result } = await running.request(1, 'tools/call', params);
      expect(result.structuredContent).toEqual({ connection: expect.stringMatching(RANDOM) });
    },
  );
});

test.each([
  [{ USER: 'alice', LOGNAME: 'bob' }, { name: 'alice' }],
  [{ USERNAME: 'carol' }, { name: 'carol' }],
  [{ LOGNAME: 'bob' }, { name: 'bob' }],
  [{}, {}],
])(`${cites('CALLER', 'CLI-CALL')} on the command line with %j it is %j`, (env, expected) => {
  using folder = temporaryFolder();
  const { stdout } = spawnSync(process.execPath, [fixtureProgram, 'call', 'caller'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder.path, ...env },
  });
  expect(JSON.parse(stdout)).toEqual(expected);
});
