import http from 'node:http';
import { connect } from 'node:net';
import { createRandom, type Random, type ServedProgram, serveProgram } from '@baton/testkit';
import { expect, test } from 'vitest';
import { bytesOf, METHODS, message, WORDS } from './fuzz-messages.ts';
import { modern, send } from './http.ts';
import { fixtureProgram } from './programs.ts';
import { cites } from './requirements.ts';

// A failing run prints its seed; FUZZ_SEED replays it, FUZZ_REQUESTS makes it shorter or longer.
const SEED = Number(process.env.FUZZ_SEED ?? 20260728);
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 30_000);
const LANES = 8;
const EXPECTED = [200, 202, 204, 400, 401, 403, 404, 405, 406, 413, 415, 431];

interface Shot {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

const printable = (text: string) => text.replace(/[^\x20-\x7e]/g, '?');

function headersOf(random: Random, served: ServedProgram, sessions: readonly string[]) {
  const headers: Record<string, string> = { ...served.headers };
  const some = () =>
    printable(random.pick([...WORDS, ...METHODS, 'x'.repeat(random.integer(200))]));
  const maybe = (name: string, odds: number, value: () => string) => {
    if (random.integer(odds) === 0) headers[name] = value();
  };
  maybe('MCP-Protocol-Version', 2, () => random.pick(['2026-07-28', '2025-11-25', some()]));
  maybe('Mcp-Method', 2, () => random.pick(METHODS));
  maybe('Mcp-Name', 2, () => random.pick(['echo', '=?base64?ZWNobw==?=', '=?base64?!?=', some()]));
  maybe('Mcp-Session-Id', 2, () => random.pick([...sessions.slice(-5), some()]));
  maybe('Last-Event-Id', 10, some);
  maybe('Content-Type', 15, () =>
    random.pick(['text/plain', 'application/json;charset=x', some()]),
  );
  maybe('Content-Encoding', 40, () => random.pick(['gzip', 'identity', some()]));
  maybe('Accept', 20, () => random.pick(['*/*', 'text/html', '', some()]));
  maybe('Host', 40, () => random.pick(['localhost', 'evil.example.com', '[::1]', 'x']));
  maybe('Origin', 40, () => random.pick(['null', 'http://localhost:1', 'http://evil.example.com']));
  maybe('Authorization', 40, () => random.pick(['Bearer', 'Bearer x', 'Basic x', some()]));
  return headers;
}

/** A request of the new era as it should be, but for what the other headers change. */
function wellFormed(random: Random, id: number): Shot {
  const name = random.pick(['echo', 'fail', 'nope', 'count', 'confirm']);
  const { headers, body } =
    random.integer(10) === 0
      ? modern(id, 'subscriptions/listen', { notifications: { toolsListChanged: true } })
      : modern(id, 'tools/call', { name, arguments: { steps: 1, text: 'x' } });
  return { method: 'POST', path: '/mcp', headers, body: Buffer.from(JSON.stringify(body)) };
}

function shoot(random: Random, id: number, served: ServedProgram, sessions: string[]): Shot {
  const headers = headersOf(random, served, sessions);
  const good = random.integer(6) === 0 ? wellFormed(random, id) : undefined;
  const method =
    random.integer(12) === 0 ? random.pick(['GET', 'DELETE', 'PUT', 'OPTIONS']) : 'POST';
  const path =
    random.integer(20) === 0
      ? random.pick([
          '/',
          '/sse',
          '/messages?sessionId=x',
          '/health',
          '/mcp?x',
          '/mcp/..',
          '//',
          '/%00',
        ])
      : '/mcp';
  const body =
    random.integer(2) === 0
      ? bytesOf(random, id)
      : Buffer.from(JSON.stringify(message(random, id)));
  return good
    ? { ...good, headers: { ...headers, ...good.headers } }
    : { method, path, headers, body };
}

/** Returns what is wrong with the answer, if anything. */
function fire(served: ServedProgram, agent: http.Agent, shot: Shot, sessions: string[]) {
  return new Promise<string | undefined>((resolve) => {
    const { method, path, body } = shot;
    const headers = { ...shot.headers, 'Content-Length': String(body.length) };
    const { hostname, port } = new URL(served.address);
    const request = http.request({ hostname, port, method, path, headers, agent });
    request.on('error', (error) => resolve(`failed: ${error.message}`));
    request.on('response', (response) => {
      const session = response.headers['mcp-session-id'];
      if (session) sessions.push(String(session));
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve(faultIn(shot, response, Buffer.concat(parts).toString())));
      response.on('error', () => {});
      // The stream of a session or a subscription has no end of its own.
      const isStream = response.headers['content-type'] === 'text/event-stream';
      if (isStream && (method === 'GET' || body.includes('subscriptions/listen'))) {
        response.destroy();
        resolve(undefined);
      }
    });
    request.end(body);
  });
}

function faultIn(shot: Shot, { statusCode = 0, headers }: http.IncomingMessage, text: string) {
  if (!EXPECTED.includes(statusCode)) return `status ${statusCode}: ${text}`;
  const isRefusal = statusCode >= 400 && statusCode !== 431 && text !== '';
  if (headers['content-type'] !== 'application/json') {
    return isRefusal ? `a refusal that is no JSON: ${text}` : undefined;
  }
  const reply = JSON.parse(text);
  if (reply.name === 'baton') return undefined; // /health
  const isReply = reply.jsonrpc === '2.0' && 'id' in reply && ('result' in reply || reply.error);
  if (!isReply) return `no reply: ${text}`;
  if (statusCode !== 200) return undefined;
  const { id } = JSON.parse(shot.body.toString());
  return reply.id === id ? undefined : `a reply to another request: ${text}`;
}

/** Bytes that are hardly HTTP. */
function throwGarbage(random: Random, served: ServedProgram): Promise<void> {
  const { hostname, port } = new URL(served.address);
  const junk = Buffer.from(Array.from({ length: random.integer(200) }, () => random.integer(256)));
  const start = random.pick([
    '',
    'POST /mcp HTTP/1.1\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    '\x16\x03\x01',
  ]);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () =>
      socket.end(Buffer.concat([Buffer.from(start), junk])),
    );
    socket.on('error', () => {});
    socket.on('close', () => resolve());
    socket.resume();
  });
}

const title = `${REQUESTS} malformed and half-valid requests break nothing (seed ${SEED})`;
test(`${cites('T34', 'T28', 'T38')} ${title}`, async () => {
  await using served = await serveProgram(fixtureProgram, { env: { BATON_LOG_LEVEL: 'error' } });
  const agent = new http.Agent({ keepAlive: true, maxSockets: LANES });
  const faults: string[] = [];
  const lane = async (_: unknown, index: number) => {
    const random = createRandom(SEED + index);
    const sessions: string[] = [];
    for (let id = 0; id < REQUESTS / LANES && faults.length === 0; id++) {
      const shot = shoot(random, id, served, sessions);
      const fault = await fire(served, agent, shot, sessions);
      if (fault) faults.push(`${fault}\n${JSON.stringify({ ...shot, body: String(shot.body) })}`);
      if (random.integer(200) === 0) await throwGarbage(random, served);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  agent.destroy();
  const where = `seed ${SEED}, stderr:\n${served.program.stderr.slice(0, 2000)}`;
  expect(faults, where).toEqual([]);
  expect(served.program.stderr, where).not.toMatch(/unexpected:|\[http\] fault/);
  const { messages } = await send(served, modern(1, 'tools/call', { name: 'prototypes' }));
  expect(messages[0]?.result.structuredContent, where).toEqual({ added: [] });
  served.program.child.kill('SIGTERM');
  expect(await served.program.exited, where).toEqual({ code: 0, signal: null });
}, 300_000);
