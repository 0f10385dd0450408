import { readFileSync } from 'node:fs';
import http from 'node:http';
import { connect, type Socket } from 'node:net';
import { type ServedProgram, serveProgram } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import { call, initialize, modern, send } from './http.ts';
import { fixtureProgram } from './programs.ts';
import { cites } from './requirements.ts';

const CLIENTS = 16;
const CALLS = 400;

/** Calls with the ids that every other client uses, too, some at a time. */
async function callMany(served: ServedProgram, client: number): Promise<string[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  const session = client % 2 === 0 ? await initialize(served) : undefined;
  const one = async (id: number): Promise<string | undefined> => {
    const text = `client ${client}, call ${id}`;
    const args = { name: 'echo', arguments: { text } };
    const _meta = { progressToken: id };
    const sent = session
      ? {
          headers: { 'Mcp-Session-Id': session },
          body: { jsonrpc: '2.0', id, method: 'tools/call', params: { ...args, _meta } },
        }
      : modern(id, 'tools/call', { ...args, _meta });
    const { messages } = await send(served, { ...sent, agent });
    const isMine =
      messages.length === 1 &&
      messages[0]?.id === id &&
      messages[0].result.structuredContent.text === text;
    return isMine ? undefined : `${text}: ${JSON.stringify(messages)}`;
  };
  const wrong: string[] = [];
  let next = 0;
  const lane = async () => {
    while (next < CALLS) {
      next += 1;
      const fault = await one(next);
      if (fault) wrong.push(fault);
    }
  };
  await Promise.all(Array.from({ length: 4 }, lane));
  agent.destroy();
  return wrong;
}

test(`${cites('T9')} ${CLIENTS} clients × ${CALLS} calls with equal ids get their own answers`, async () => {
  await using served = await serveProgram(fixtureProgram, { env: { BATON_LOG_LEVEL: 'error' } });
  const clients = Array.from({ length: CLIENTS }, (_, client) => callMany(served, client));
  expect((await Promise.all(clients)).flat()).toEqual([]);
}, 180_000);

test(`${cites('T9')} progress goes to its own client only`, async () => {
  await using served = await serveProgram(fixtureProgram);
  const sessions = await Promise.all([1, 2, 3, 4].map(() => initialize(served)));
  const answers = await Promise.all(
    sessions.flatMap((session, index) => {
      const params = {
        name: 'count',
        arguments: { steps: index + 1 },
        _meta: { progressToken: 7 },
      };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      return [send(served, { headers: { 'Mcp-Session-Id': session }, body })];
    }),
  );
  for (const [index, { messages }] of answers.entries()) {
    const progress = messages.filter(({ method }) => method === 'notifications/progress');
    expect(progress.map(({ params }) => params.total)).toEqual(Array(index + 1).fill(index + 1));
    expect(messages.at(-1)?.result.structuredContent.counted).toBe(index + 1);
  }
});

function megabytes({ program }: ServedProgram, what: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${program.child.pid}/status`, 'utf8');
  return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

function open(served: ServedProgram, text?: string): Promise<Socket> {
  const { port, hostname } = new URL(served.address);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      if (text) socket.write(text);
      resolve(socket);
    });
    socket.on('error', reject);
  });
}

async function expectToServe(served: ServedProgram): Promise<void> {
  const { messages } = await send(served, modern(1, 'tools/call', { name: 'echo', arguments: {} }));
  expect(messages[0]?.result.isError).toBeUndefined();
}

describe('clients that do not behave', () => {
  test(`${cites('T38')} 100 half-open sockets harm nobody`, async () => {
    await using served = await serveProgram(fixtureProgram);
    const beginnings = [undefined, 'POST /mcp HT', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: '];
    const sockets = await Promise.all(
      Array.from({ length: 100 }, (_, index) => open(served, beginnings[index % 3])),
    );
    await expectToServe(served);
    for (const socket of sockets) socket.destroy();
    await expectToServe(served);
  });

  test(`${cites('T38')} a stream that nobody reads is cut, and memory stays bounded`, async () => {
    // With a small nursery: V8 grows it as long as it likes, which is not what is looked for.
    const nodeArgs = ['--max-semi-space-size=1'];
    await using served = await serveProgram(fixtureProgram, { nodeArgs });
    const headers = { 'Mcp-Session-Id': await initialize(served) };
    const uri = `fixture://note/${'x'.repeat(8000)}`;
    const subscribe = { jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri } };
    await send(served, { headers, body: subscribe });
    const lines = Object.entries({ ...served.headers, ...headers, Host: 'localhost' });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const deaf = await open(served, `GET /mcp HTTP/1.1\r\n${head}\r\n`);
    await new Promise((resolve) => deaf.once('readable', resolve)); // Looked at, never read.
    const before = megabytes(served, 'VmRSS');
    const flood = { kind: 'resource', uri, times: 10_000 }; // 80 MB of events
    await send(served, modern(2, 'tools/call', { name: 'change', arguments: flood }));
    await served.program.until('the cut', () => served.program.stderr.includes('does not read'));
    expect(megabytes(served, 'VmHWM') - before).toBeLessThan(150);
    await expectToServe(served);
    expect((await send(served, { headers, body: call(3, 'echo') })).status).toBe(200);
    deaf.destroy();
  });

  test(`${cites('T24', 'T38')} bodies of 200 MB are refused, with and without a length`, async () => {
    await using served = await serveProgram(fixtureProgram);
    const piece = Buffer.alloc(1024 * 1024, 'x');
    const upload = (headers: http.OutgoingHttpHeaders) =>
      new Promise<number | undefined>((resolve, reject) => {
        const request = http.request(new URL('/mcp', served.address), { method: 'POST', headers });
        request.on('response', (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        request.on('error', reject);
        let sent = 0;
        const write = () => {
          while (sent < 200) {
            sent += 1;
            if (!request.write(piece)) return void request.once('drain', write);
          }
          request.end();
        };
        write();
      });
    const lengths = [{ 'Content-Length': 200 * piece.length }, {}];
    const strangers = lengths.map((length) => upload({ ...length }));
    const known = lengths.map((length) => upload({ ...served.headers, ...length }));
    await expectToServe(served);
    expect(await Promise.all([...strangers, ...known])).toEqual([401, 401, 413, 413]);
    expect(megabytes(served, 'VmHWM')).toBeLessThan(300);
    await expectToServe(served);
  });

  test.each([5, 12])(`${cites('T24')} %d MB are below the limit and are served`, async (size) => {
    await using served = await serveProgram(fixtureProgram);
    const text = 'x'.repeat(size * 1024 * 1024);
    const { status, messages } = await send(served, { body: call(1, 'echo', { text }) });
    expect([status, messages[0]?.result.structuredContent.text.length]).toEqual([200, text.length]);
  });

  test(`${cites('T24')} the limit can be set`, async () => {
    await using served = await serveProgram(fixtureProgram, {
      args: ['--max-message-bytes', '2000'],
    });
    const { status, text } = await send(served, {
      body: call(1, 'echo', { text: 'x'.repeat(3000) }),
    });
    expect([status, JSON.parse(text).error.data.code]).toEqual([413, 'too_large']);
    await expectToServe(served);
  });

  test(`${cites('T38')} who goes away in the middle of a body leaves nothing behind`, async () => {
    await using served = await serveProgram(fixtureProgram);
    const head = Object.entries({ ...served.headers, Host: 'localhost', 'Content-Length': '1000' })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    const sockets = await Promise.all(
      Array.from({ length: 50 }, () => open(served, `POST /mcp HTTP/1.1\r\n${head}\r\n{"jsonrpc"`)),
    );
    await expectToServe(served);
    for (const socket of sockets) socket.destroy();
    await expectToServe(served);
    expect(served.program.stderr).not.toContain('unexpected');
    expect(served.program.stderr).not.toContain('fault');
  });
});
