import { cites } from '@baton/e2e/requirements';
import { createFakeClock, createFakeIds } from '@baton/testkit';
import { expect, test } from 'vitest';
import { HttpConnection } from '../src/transports/http/http-connection.ts';
import { Sessions } from '../src/transports/http/sessions.ts';

const IDLE_MS = 60_000;

function createSessions(max = 10) {
  const clock = createFakeClock();
  const closed: HttpConnection[] = [];
  const sessions = new Sessions({
    clock,
    ids: createFakeIds(),
    idleMs: IDLE_MS,
    max,
    connections: {
      open: (era) => new HttpConnection({ era, isBareCall: () => false }),
      close: (connection) => closed.push(connection),
    },
  });
  const create = () => {
    const session = sessions.create();
    if (!session) throw new Error('no session');
    return session;
  };
  return { clock, closed, sessions, create };
}

const request = { jsonrpc: '2.0', id: 1, method: 'ping' } as const;
// Never written to here: what counts is that somebody waits for it.
const outlet = {} as Parameters<HttpConnection['request']>[1];

test(`${cites('HTTP-SESSION')} a session that nobody uses ends after its time, and not before`, () => {
  const { clock, closed, sessions, create } = createSessions();
  const { id, connection } = create();
  clock.advance(IDLE_MS);
  sessions.endIdle();
  expect(sessions.find(id)?.connection).toBe(connection); // Which is a use.
  clock.advance(IDLE_MS);
  sessions.endIdle();
  expect(closed).toEqual([]);
  clock.advance(1);
  sessions.endIdle();
  expect(sessions.find(id)).toBeUndefined();
  expect(closed).toEqual([connection]);
});

test(`${cites('HTTP-SESSION')} a session with a call in flight does not end`, () => {
  const { clock, sessions, create } = createSessions();
  const { id, connection } = create();
  connection.request(request, outlet);
  clock.advance(10 * IDLE_MS);
  sessions.endIdle();
  expect(sessions.find(id)).toBeDefined();
});

test(`${cites('HTTP-SESSION')} the longest unused makes room, those in use stay`, () => {
  const { sessions, create, closed } = createSessions(3);
  const [busy, unused, used] = [create(), create(), create()];
  busy.connection.request(request, outlet);
  sessions.find(unused.id);
  sessions.find(used.id);
  const fourth = create();
  expect(closed).toEqual([unused.connection]);
  for (const each of [used, fourth]) each.connection.request(request, outlet);
  expect(sessions.create()).toBeUndefined();
  expect(sessions.end(used.id)).toBe(true);
  expect(sessions.end(used.id)).toBe(false);
  expect(sessions.create()).toBeDefined();
});
