import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { serveProgram, startProgram, temporaryFolder } from '@baton/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, modern, send } from './http.ts';
import { fixtureProgram, program } from './programs.ts';
import { cites } from './requirements.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder[Symbol.dispose]());

function baton(args: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder.path,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', HOME: folder.path, ...env },
    timeout: 30_000,
  });
  return { status, stdout, stderr };
}

describe('baton serve', () => {
  test(`${cites('CLI-SERVE')} says where it is and how each client connects`, async () => {
    await using served = await serveProgram(program);
    const said = served.program.garbage.join('\n');
    for (const wanted of [
      `${served.address}/mcp`,
      `${served.address}/sse`,
      'given in BATON_TOKEN',
      `claude mcp add --transport http baton ${served.address}/mcp --header "Authorization: Bearer $BATON_TOKEN"`,
      `{"servers":{"baton":{"type":"http","url":"${served.address}/mcp","headers":{"Authorization":"Bearer <token>"}}}}`,
      '[mcp_servers.baton]',
      '"httpUrl"',
      'Stop with Ctrl-C.',
    ]) {
      expect(said).toContain(wanted);
    }
  });

  test(`${cites('CLI-SERVE', 'HTTP-TOKEN')} shows the token on a terminal, ready to paste`, async () => {
    const command = `exec '${process.execPath}' '${program}' serve --port 0`;
    const terminal = spawn('script', ['-qefc', command, '/dev/null'], {
      cwd: folder.path,
      env: { PATH: process.env.PATH, HOME: folder.path, BATON_STATE: folder.path },
    });
    let said = '';
    await new Promise<void>((resolve) => {
      terminal.stdout.on('data', (part) => {
        said += part;
        if (said.includes('Ctrl-C')) resolve();
      });
    });
    const [, url = ''] = /baton (http\S+) --header/.exec(said) ?? [];
    const [, token = ''] = /Authorization: Bearer ([\w-]{43})"/.exec(said) ?? [];
    const served = { address: url, headers: {} } as never;
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    expect((await send(served, { headers, body: call(1, 'status') })).status).toBe(200);
    const ended = new Promise((resolve) => terminal.on('close', resolve));
    terminal.stdin.write('\u0003');
    await ended;
    expect(said).toContain('bye');
  });

  test(`${cites('CLI-SERVE', 'T39')} names who has the port and the way out`, async () => {
    await using first = await serveProgram(program);
    const { port } = new URL(first.address);
    const { status, stdout, stderr } = baton(['serve', '--port', port]);
    expect([status, stdout]).toEqual([1, '']);
    const said = stderr.split('\n').filter((line) => line.startsWith('baton: '));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(
      `port_in_use: Port ${port} is in use by process ${first.program.child.pid}`,
    );
    expect(said[0]).toContain('--port');
    expect((await send(first, modern(1, 'tools/list'))).status).toBe(200);
  });

  test(`${cites('CLI-SERVE', 'T39')} 39219 is its port, unless something has it`, async () => {
    const other = createServer();
    // Whoever has it, this test or somebody else, it is taken.
    await new Promise<void>((resolve) => {
      other.once('error', () => resolve()).listen(39_219, '127.0.0.1', resolve);
    });
    const { status, stderr } = baton(['serve']);
    expect(status).toBe(1);
    expect(stderr).toContain('Port 39219 is in use');
    other.close();
  });

  test.each(['70000', '-1', 'x', '1.5', ''])(
    `${cites('CLI-SERVE')} --port=%s is refused`,
    (port) => {
      const { status, stderr } = baton(['serve', `--port=${port}`]);
      expect(status).not.toBe(0);
      expect(stderr).toContain('--port');
    },
  );

  test(`${cites('CLI-SERVE', 'T41')} a port given twice is refused; the environment counts less`, async () => {
    const twice = baton(['serve', '--port=1', '--port=2']);
    expect([twice.status, twice.stdout]).toEqual([2, '']);
    await using served = await serveProgram(program, { env: { BATON_PORT: '1' } });
    expect(new URL(served.address).port).not.toBe('1');
  });

  test(`${cites('CLI-SERVE')} / tells a person what runs, without any script or secret`, async () => {
    await using served = await serveProgram(program);
    const headers = { Authorization: undefined, Accept: 'text/html' };
    const page = await send(served, { method: 'GET', path: '/', headers });
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(page.text).toContain('Baton is running');
    expect(page.text).toContain(`${served.address}/mcp`);
    expect(page.text).not.toMatch(/<script|<img|<link|<iframe|\bon\w+=|javascript:/i);
    expect(page.text).not.toContain(served.program.home);
  });

  test(`${cites('T39')} out of file handles it refuses, and recovers`, async () => {
    await using served = await serveProgram(fixtureProgram);
    execFileSync('prlimit', ['--pid', String(served.program.child.pid), '--nofile=48:48']);
    const { port, hostname } = new URL(served.address);
    const sockets = Array.from({ length: 100 }, () => connect(Number(port), hostname));
    await Promise.all(
      sockets.map((socket) => {
        socket.on('error', () => {});
        return new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
      }),
    );
    for (const socket of sockets) socket.destroy();
    await expect
      .poll(
        () =>
          send(served, modern(1, 'tools/call', { name: 'echo' })).then(
            ({ status }) => status,
            String,
          ),
        {
          timeout: 30_000,
        },
      )
      .toBe(200);
  });

  test(`${cites('T39')} a state folder that cannot be written is a named error`, () => {
    const file = path.join(folder.path, 'a-file');
    writeFileSync(file, '');
    const { status, stderr } = baton(['serve', '--port', '0'], { BATON_STATE: file });
    expect(status).toBe(1);
    expect(stderr).toContain('baton: token_inaccessible:');
    expect(stderr).toContain('BATON_TOKEN');
  });

  test(`${cites('CLI-SERVE')} goes on when nobody reads its output any more`, async () => {
    await using served = await serveProgram(fixtureProgram);
    served.program.child.stdout.destroy();
    served.program.child.stdin.end();
    expect((await send(served, modern(1, 'tools/call', { name: 'noisy' }))).status).toBe(200);
  });
});

describe('baton token', () => {
  const file = () => path.join(folder.path, '.config', 'baton', 'token');

  test(`${cites('CLI-TOKEN', 'HTTP-TOKEN')} makes a token that lasts, and serve uses it`, async () => {
    const made = baton(['token']);
    expect(made.status).toBe(0);
    const token = made.stdout.trim();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
    expect(baton(['token'])).toEqual({ status: 0, stdout: `${token}\n`, stderr: '' });
    await using running = startProgram(program, {
      args: ['serve', '--port', '0'],
      env: { HOME: folder.path },
    });
    const address = await running.until('an address', () =>
      running.garbage.flatMap((line) => /http:\/\/127[\d.:]+/.exec(line) ?? []).at(0),
    );
    const served = { address, headers: {} } as never;
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    expect((await send(served, { headers, body: call(1, 'status') })).status).toBe(200);
    expect(running.garbage.join('\n')).toContain(`in ${file()}, lasting`);
    expect(running.stderr + running.garbage.join('\n')).not.toContain(token);
  });

  test(`${cites('CLI-TOKEN')} replaces and removes it`, () => {
    const old = baton(['token']).stdout;
    const fresh = baton(['token', '--new']).stdout;
    expect(fresh).not.toBe(old);
    expect(readFileSync(file(), 'utf8')).toBe(fresh);
    expect(baton(['token', '--remove'])).toMatchObject({ status: 0, stdout: '' });
    expect(() => statSync(file())).toThrow('ENOENT');
    expect(baton(['token', '--remove']).status).toBe(0);
    expect(baton(['token', '--new', '--remove']).status).toBe(2);
  });

  test(`${cites('CLI-TOKEN', 'T2')} refuses one that others can read, or that can be guessed`, () => {
    mkdirSync(path.dirname(file()), { recursive: true });
    writeFileSync(file(), 'x'.repeat(43), { mode: 0o600 });
    chmodSync(file(), 0o644);
    for (const command of [['token'], ['serve', '--port', '0']]) {
      const { status, stderr } = baton(command);
      expect(status).toBe(1);
      expect(stderr).toContain('token_exposed');
    }
    const doctor = baton(['doctor']);
    expect(doctor.status).toBe(1);
    expect(doctor.stdout).toMatch(/fail {2}token +Others can read the token/);
    writeFileSync(file(), 'secret');
    chmodSync(file(), 0o600);
    expect(baton(['serve', '--port', '0']).stderr).toContain('token_unusable');
    expect(baton(['token', '--new']).status).toBe(0);
    for (const weak of ['secret', 'x'.repeat(31), `${'x'.repeat(40)} y`]) {
      const { status, stderr } = baton(['serve', '--port', '0'], { BATON_TOKEN: weak });
      expect(status).toBe(1);
      expect(stderr).toContain('token_unusable');
      expect(stderr).not.toContain(weak);
    }
  });
});
