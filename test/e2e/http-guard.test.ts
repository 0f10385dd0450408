import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { type ServedProgram, serveProgram, startProgram } from '@baton/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, send } from './http.ts';
import { fixtureProgram, program } from './programs.ts';
import { cites } from './requirements.ts';

const CANARY = 'canary-0123456789-0123456789-0123456789';

describe('who may speak to baton serve', () => {
  let served: ServedProgram;
  beforeAll(async () => {
    served = await serveProgram(fixtureProgram);
  });
  afterAll(() => served[Symbol.asyncDispose]());

  const codeOf = (text: string) => JSON.parse(text).error.data.code;
  const anonymous = { Authorization: undefined };
  const ping = call(1, 'echo');

  describe.each(['/mcp', '/sse', '/messages', '/health', '/', '/nowhere'])('at %s', (place) => {
    test.each([
      'evil.example.com',
      'evil.example.com:39219',
      '127.0.0.1.evil.example.com',
      'localhost.evil.example.com',
      '127.0.0.2',
      '0.0.0.0',
      'localhost@evil.example.com',
      '[::2]',
    ])(
      `${cites('T1')} a request for the host "%s" is refused before its token is looked at`,
      async (host) => {
        for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
          const headers = { Host: host, ...anonymous };
          const { status, text } = await send(served, { method, path: place, headers, body: '{' });
          expect([status, codeOf(text)]).toEqual([403, 'forbidden_host']);
        }
      },
    );

    test.each([
      'http://evil.example.com',
      'https://127.0.0.1.evil.example.com',
      'http://localhost.evil.example.com:39219',
      'null',
      'file://',
      'vscode-webview://abc',
      'http://127.0.0.1:1/path',
      'http://localhost@evil.example.com',
      '',
    ])(
      `${cites('T1')} a page from "%s" is refused before its token is looked at`,
      async (origin) => {
        const headers = { Origin: origin, ...anonymous };
        const { status, text } = await send(served, { path: place, headers, body: '{' });
        expect([status, codeOf(text)]).toEqual([403, 'forbidden_origin']);
      },
    );
  });

  test(`${cites('T1')} two Hosts or two Origins are as bad as a foreign one`, async () => {
    const origins = ['http://127.0.0.1', 'http://evil.example.com'];
    expect((await send(served, { headers: { Origin: origins }, body: ping })).status).toBe(403);
    const { port, hostname } = new URL(served.address);
    for (const hosts of [
      'Host: localhost\r\nHost: evil.example.com\r\n',
      'Host: \r\n',
      '',
      'Host: http://localhost\r\n',
    ]) {
      const text = `GET /health HTTP/1.1\r\n${hosts}\r\n`;
      const answer = await rawRequest(Number(port), hostname, text);
      expect(answer, hosts).toMatch(/^HTTP\/1.1 (400|403) /);
    }
  });

  test.each(['localhost', 'LOCALHOST:8080', '127.0.0.1', '[::1]:39219'])(
    `${cites('HTTP-HOST')} this machine may be called %s, on any port a tunnel uses`,
    async (host) => {
      const headers = { Host: host, Origin: `http://${host.toLowerCase()}` };
      expect((await send(served, { headers, body: ping })).status).toBe(200);
    },
  );

  test.each([
    [undefined],
    ['Bearer'],
    ['Bearer '],
    ['Bearer wrong'],
    [`Basic ${Buffer.from('baton:test').toString('base64')}`],
    ['Bearer test-token-0123456789-0123456789-abcdeg'],
    ['Bearer test-token-0123456789-0123456789-abcdef x'],
    ['test-token-0123456789-0123456789-abcdef'],
  ])(`${cites('T2')} "%s" opens nothing`, async (authorization) => {
    for (const place of ['/mcp', '/sse', '/messages']) {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'PUT']) {
        const headers = { Authorization: authorization };
        const received = await send(served, { method, path: place, headers, body: '{' });
        expect([received.status, codeOf(received.text)]).toEqual([401, 'unauthorized']);
        expect(received.headers['www-authenticate']).toBe('Bearer realm="baton"');
      }
    }
  });

  test(`${cites('T2', 'T29')} a refusal is logged, and nothing of what the stranger said`, async () => {
    const headers = { Authorization: 'Bearer forged-token', 'User-Agent': 'forged [INFO] agent' };
    await send(served, { path: '/mcp?forged', headers, body: 'forged' });
    await served.program.until('a warning', () =>
      served.program.stderr.includes('[WARN] [http] refused: The bearer token is not right.'),
    );
    expect(served.program.stderr).not.toContain('forged');
  });

  test(`${cites('T2')} a token in the URL opens nothing`, async () => {
    const place = `/mcp?token=${served.token}&access_token=${served.token}`;
    expect((await send(served, { path: place, headers: anonymous, body: ping })).status).toBe(401);
  });

  test(`${cites('T2')} nothing but loopback is listened on`, () => {
    const sockets = execFileSync('cat', ['/proc/net/tcp', '/proc/net/tcp6'], { encoding: 'utf8' });
    const port = Number(new URL(served.address).port).toString(16).toUpperCase().padStart(4, '0');
    const listening = [...sockets.matchAll(/: ([0-9A-F]+):([0-9A-F]{4}) \S+ 0A /g)]
      .filter(([, , each]) => each === port)
      .map(([, address]) => address);
    expect(listening).toEqual(['0100007F']);
  });

  test(`${cites('T3')} no answer invites other origins`, async () => {
    const asked = {
      Origin: 'http://evil.example.com',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization',
    };
    for (const headers of [asked, { ...asked, Origin: 'http://localhost:5173' }]) {
      for (const method of ['OPTIONS', 'POST', 'GET']) {
        for (const authorization of [undefined, served.headers.Authorization]) {
          const received = await send(served, {
            method,
            headers: { ...headers, Authorization: authorization },
            ...(method === 'POST' && { body: ping }),
          });
          const names = Object.keys(received.headers).join(' ');
          expect(names).not.toMatch(/access-control/);
          if (method === 'OPTIONS') expect(received.status).toBeGreaterThanOrEqual(400);
        }
      }
    }
  });

  test.each([
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/jsonp',
    undefined,
  ])(`${cites('T3')} a form's content type %s is refused`, async (type) => {
    const { status, text } = await send(served, { headers: { 'Content-Type': type }, body: ping });
    expect([status, codeOf(text)]).toEqual([415, 'unsupported_media_type']);
  });
});

describe('the token', () => {
  test(`${cites('T2', 'HTTP-TOKEN')} is new at each start, in a file for this user alone`, async () => {
    const tokens = new Set<string>();
    for (let start = 0; start < 2; start++) {
      await using running = startProgram(program, { args: ['serve', '--port', '0'] });
      const file = await running.until('a token file', () => tokenFile(running.garbage));
      expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
      expect((statSync(path.dirname(file)).mode & 0o777).toString(8)).toBe('700');
      const token = execFileSync('cat', [file], { encoding: 'utf8' }).trim();
      expect(token).toMatch(/^[\w-]{43}$/); // 256 bits
      tokens.add(token);
      expect(() =>
        execFileSync('setpriv', ['--reuid', '65534', '--clear-groups', 'cat', file], {
          stdio: 'ignore',
        }),
      ).toThrow();
      running.child.kill('SIGTERM');
      expect((await running.exited).code).toBe(0);
      expect(() => statSync(file)).toThrow('ENOENT');
      expect(running.stderr + running.garbage.join('\n')).not.toContain(token);
    }
    expect(tokens.size).toBe(2);
  });

  test(`${cites('T13', 'HTTP-TOKEN')} reaches neither a log nor an answer nor the state`, async () => {
    await using served = await serveProgram(fixtureProgram, {
      env: { BATON_TOKEN: CANARY, BATON_LOG_LEVEL: 'debug' },
    });
    const headers = { Authorization: `Bearer ${CANARY}` };
    const answers = [
      await send(served, { headers, body: call(1, 'echo') }),
      await send(served, { headers, body: call(2, 'crash') }),
      await send(served, { headers: { Authorization: `Bearer ${CANARY}x` }, body: '{' }),
      await send(served, { method: 'GET', path: '/' }),
      await send(served, { headers, body: '{' }),
    ];
    served.program.child.kill('SIGTERM');
    await served.program.exited;
    const said = answers.map(({ text, headers: got }) => text + JSON.stringify(got)).join('\n');
    expect(said + served.program.stderr + served.program.garbage.join('\n')).not.toContain(CANARY);
    const found = execFileSync('find', [served.program.home, '-type', 'f'], { encoding: 'utf8' });
    expect(found).toContain('.log');
    expect(() => execFileSync('grep', ['-r', CANARY, served.program.home])).toThrow();
  });
});

function tokenFile(lines: readonly string[]): string | undefined {
  return lines.flatMap((line) => /token\s+in (\S+\.token)/.exec(line)?.[1] ?? []).at(0);
}

async function rawRequest(port: number, host: string, text: string): Promise<string> {
  const { connect } = await import('node:net');
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => socket.write(text));
    socket.once('data', (data) => {
      resolve(data.toString());
      socket.destroy();
    });
    socket.on('error', reject);
  });
}
