import { cites } from '@baton/e2e/requirements';
import { createFakeClock, createFakeIds } from '@baton/testkit';
import { expect, test } from 'vitest';
import { HttpConnection } from '../src/transports/http/http-connection.ts';
import { createSessionIds } from '../src/transports/http/session-ids.ts';
import { Sessions } from '../src/transports/http/sessions.ts';

const IDLE_MS = 60_000;

const client = { protocolVersion: '2025-11-25', capabilities: {}, name: 'a client' };

async function createSessions(max = 10) {
  const clock = createFakeClock();
  const closed: HttpConnection[] = [];
  const sessions = new Sessions({
    clock,
    ids: await createSessionIds('the token', createFakeIds()),
    idleMs: IDLE_MS,
    max,
    connections: {
      open: (era) => new HttpConnection({ era, bareCalls: () => undefined }),
      close: (connection) => closed.push(connection),
    },
  });
  const create = () => {
    const session = sessions.create(client);
    if (!session) throw new Error('no session');
    return session;
  };
  return { clock, closed, sessions, create };
}

const request = { jsonrpc: '2.0', id: 1, method: 'ping' } as const;
// Never written to here: what counts is that somebody waits for it.
const outlet = {} as Parameters<HttpConnection['request']>[1];

test(`${cites('HTTP-SESSION')} a session that nobody uses is put away after its time, not before`, async () => {
  const { clock, closed, sessions, create } = await createSessions();
  const { id, connection } = create();
  clock.advance(IDLE_MS);
  sessions.putAwayIdle();
  expect(sessions.find(id)?.connection).toBe(connection); // Which is a use.
  clock.advance(IDLE_MS);
  sessions.putAwayIdle();
  expect(closed).toEqual([]);
  clock.advance(1);
  sessions.putAwayIdle();
  expect(closed).toEqual([connection]);
  expect(sessions.find(id)?.connection).not.toBe(connection); // Taken up again.
});

test(`${cites('HTTP-SESSION')} a session with a call in flight is not put away`, async () => {
  const { clock, closed, sessions, create } = await createSessions();
  create().connection.request(request, outlet);
  clock.advance(10 * IDLE_MS);
  sessions.putAwayIdle();
  expect(closed).toEqual([]);
});

test(`${cites('HTTP-SESSION')} the longest unused makes room, those in use stay`, async () => {
  const { sessions, create, closed } = await createSessions(3);
  const [busy, unused, used] = [create(), create(), create()];
  busy.connection.request(request, outlet);
  sessions.find(unused.id);
  sessions.find(used.id);
  const fourth = create();
  expect(closed).toEqual([unused.connection]);
  for (const each of [used, fourth]) each.connection.request(request, outlet);
  expect(sessions.create(client)).toBeUndefined();
  expect(sessions.find(unused.id)).toBeUndefined();
  expect(sessions.end(used.id)).toBe(true);
  expect(sessions.create(client)).toBeDefined();
});

test(`${cites('HTTP-SESSION')} a session that its client has ended stays ended`, async () => {
  const { sessions, create } = await createSessions();
  const { id } = create();
  expect(sessions.end(id)).toBe(true);
  expect(sessions.find(id)).toBeUndefined();
  expect(sessions.end(id)).toBe(false);
});

test(`${cites('HTTP-SESSION', 'T35')} an id is taken from whoever knew the token, unchanged`, async () => {
  const before = await createSessionIds('the token', createFakeIds());
  const after = await createSessionIds('the token', createFakeIds());
  const other = await createSessionIds('another token', createFakeIds());
  const capabilities = { elicitation: { form: {} }, sampling: {}, roots: { listChanged: true } };
  const facts = { protocolVersion: '2025-06-18', capabilities, name: 'a client' };
  const id = before.mint(facts);
  expect(after.read(id)).toEqual(facts);
  expect(other.read(id)).toBeUndefined();
  for (let index = 0; index < id.length; index++) {
    const changed = id[index] === 'A' ? 'B' : 'A';
    const forged = id.slice(0, index) + changed + id.slice(index + 1);
    expect(after.read(forged), forged).toBeUndefined();
  }
  for (const none of ['', '.', 'x', 'x.y', `${id}x`, `${id}.`, id.slice(0, -4)]) {
    expect(after.read(none), none).toBeUndefined();
  }
});

test(`${cites('HTTP-SESSION')} an id stays short, whatever its client declares`, async () => {
  const ids = await createSessionIds('the token', createFakeIds());
  const capabilities = { elicitation: { x: 'x'.repeat(10_000) }, experimental: { y: {} } };
  const long = 'v'.repeat(10_000);
  const id = ids.mint({ protocolVersion: long, capabilities, name: long });
  expect(id.length).toBeLessThan(1000);
  expect(id).toMatch(/^[\x21-\x7e]+$/);
});
