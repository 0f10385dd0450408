import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { serveStdio } from '@baton/mcp';
import { type Program, startProgram, temporaryFolder } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import { fixtureProgram, program } from './programs.ts';
import { cites } from './requirements.ts';
import { testBaton } from './ways.ts';

function call(running: Program, id: number, name: string, args: object = {}): void {
  running.send({ id, method: 'tools/call', params: { name, arguments: args } });
}

async function elapsed(work: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work;
  return performance.now() - start;
}

describe('the end', () => {
  test(`${cites('STDIO-EOF', 'T33')} calls in flight at the end of input are answered`, async () => {
    await using running = startProgram(fixtureProgram);
    // Longer than what a signal leaves.
    call(running, 1, 'slow', { ms: 1800 });
    call(running, 2, 'echo', { text: 'hi' });
    expect(await running.end()).toEqual({ code: 0, signal: null });
    expect(running.replies.map(({ id }) => id).sort()).toEqual([1, 2]);
    expect(running.replies.every((reply) => reply.result)).toBe(true);
  });

  test(`${cites('STDIO-EOF-WAIT')} a wait returns the current state`, async () => {
    await using running = startProgram(fixtureProgram);
    call(running, 1, 'wait', { waitSeconds: 50 });
    expect(await running.end()).toEqual({ code: 0, signal: null });
    expect(running.replies).toMatchObject([
      { id: 1, result: { structuredContent: { state: 'pending' } } },
    ]);
  });

  test(`${cites('STDIO-EOF-ASK', 'T33')} a call that waits for the client's answer ends at once`, async () => {
    await using running = startProgram(fixtureProgram);
    await running.request(0, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: {} },
    });
    call(running, 1, 'confirm', { subject: 'deploy' });
    await running.notification('elicitation/create');
    const ms = await elapsed(running.end());
    expect((await running.exited).code).toBe(0);
    const { error, result } = await running.reply(1);
    expect(JSON.stringify(error ?? result)).toContain('it cannot answer');
    expect(ms).toBeLessThan(2000);
  });

  test(`${cites('STDIO-EOF-CANCEL', 'STDIO-TIMER', 'T33')} a signal while it drains ends what never would`, async () => {
    await using running = startProgram(fixtureProgram);
    call(running, 1, 'stubborn');
    call(running, 2, 'slow', { ms: 600_000 });
    await running.until('the call', () => running.stderr.includes('slow 600000 started'));
    running.child.stdin.end();
    await running.until('the end of input', () => running.stderr.includes('end of input, 2 calls'));
    running.child.kill('SIGTERM');
    const ms = await elapsed(running.exited);
    expect((await running.exited).code).toBe(0);
    expect(running.replies.map(({ id }) => id).sort()).toEqual([1, 2]);
    expect(running.replies).toMatchObject([
      { error: { code: -32000, data: { code: 'shutting_down' } } },
      { error: { code: -32000 } },
    ]);
    expect(running.stderr).toContain('slow 600000 cancelled');
    // The one time that is a requirement: clients expect the process to be gone by then.
    expect(ms).toBeLessThan(2000);
  });

  test(`${cites('STDIO-EOF-CANCEL')} what does not end in time is cancelled and answered`, async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const server = serveStdio(testBaton(), { input, output, finishMs: 50 });
    const params = { name: 'stubborn', arguments: {} };
    input.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    await server.closed;
    expect(JSON.parse(String(output.read()))).toMatchObject({
      ...{ id: 1, error: { code: -32000, data: { code: 'shutting_down' } } },
    });
  });

  test(`${cites('STDIO-EOF-CANCEL', 'T33')} a closed stdout ends what is in flight`, async () => {
    await using running = startProgram(fixtureProgram);
    call(running, 1, 'slow', { ms: 600_000 });
    await running.until('the call', () => running.stderr.includes('slow 600000 started'));
    running.child.stdout.destroy();
    const ms = await elapsed(running.end());
    expect((await running.exited).code).toBe(0);
    expect(running.stderr).toContain('slow 600000 cancelled');
    expect(ms).toBeLessThan(2000);
  });

  test.skipIf(process.platform === 'win32')(
    `${cites('STDIO-EOF-CANCEL', 'T33')} a closed pipe ends what is in flight, too; one that is read gets whole lines`,
    async () => {
      using folder = temporaryFolder();
      const at = (name: string) => path.join(folder.path, name);
      const text = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : '');
      const pipe = (ms: number, reader: string) => {
        const params = { name: 'slow', arguments: { ms } };
        writeFileSync(
          at('in'),
          JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        );
        // A pipe of the shell: what Node.js hands to its children is a socket.
        const script = `BATON_STATE=state "$1" "$2" stdio <in 2>err | ${reader}`;
        const args = ['-c', script, 'sh', process.execPath, fixtureProgram];
        return spawnSync('sh', args, { cwd: folder.path, timeout: 60_000, encoding: 'utf8' });
      };
      const started = performance.now();
      expect(pipe(600_000, 'true').status).toBe(0);
      // Far less than what calls have after the end of input.
      expect(performance.now() - started).toBeLessThan(10_000);
      expect(text('err')).toContain('slow 600000 cancelled');
      expect(text('err')).toMatch(/end of input, 1 calls.*output closed.*bye/s);
      // Longer than some looks for a reader take.
      const { stdout } = pipe(1000, 'cat');
      expect(stdout).toMatch(/^ +\{.*\}\n$/);
      expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: {} });
    },
  );

  // On Windows, nothing tells a shell script's child when the script has ended.
  test.skipIf(process.platform === 'win32')(
    `${cites('STDIO-EOF-CANCEL', 'T33')} a parent that is gone ends what is in flight`,
    async () => {
      using folder = temporaryFolder();
      const at = (name: string) => path.join(folder.path, name);
      const params = { name: 'slow', arguments: { ms: 600_000 } };
      const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      writeFileSync(at('in'), `${JSON.stringify(request)}\n`);
      const script = `BATON_STATE=state "$1" "$2" stdio <in >out 2>err & wait`;
      const args = ['-c', script, 'sh', process.execPath, fixtureProgram];
      const parent = spawn('sh', args, { cwd: folder.path, stdio: 'ignore' });
      const text = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : '');
      await expect.poll(() => text('err'), { timeout: 30_000 }).toContain('end of input, 1 calls');
      parent.kill('SIGKILL');
      await expect.poll(() => text('err'), { timeout: 5000 }).toContain('bye');
      expect(text('err')).toMatch(/has ended, 1 calls in flight/);
      expect(JSON.parse(text('out'))).toMatchObject({ error: { data: { code: 'shutting_down' } } });
    },
  );

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    `${cites('STDIO-SIGNAL')} %s drains`,
    async (signal) => {
      await using running = startProgram(fixtureProgram);
      call(running, 1, 'slow', { ms: 200 });
      await running.until('the call', () => running.stderr.includes('slow 200 started'));
      running.child.kill(signal);
      expect(await running.exited).toEqual({ code: 0, signal: null });
      expect(running.replies).toMatchObject([
        { id: 1, result: { structuredContent: { waited: true } } },
      ]);
    },
  );

  test(`${cites('STDIO-EPIPE')} a closed stdout ends it with 0 and no stack`, async () => {
    await using running = startProgram(fixtureProgram);
    await running.request(1, 'ping');
    running.child.stdout.destroy();
    for (let id = 2; id < 50; id++) call(running, id, 'echo', { text: 'x', times: 10_000 });
    expect(await running.exited).toEqual({ code: 0, signal: null });
    expect(running.stderr).not.toMatch(/^\s+at /m);
  });

  test(`${cites('STDIO-EPIPE', 'T33')} a client that stops reading cannot keep it from leaving`, async () => {
    await using running = startProgram(fixtureProgram);
    await running.request(1, 'ping');
    running.child.stdout.pause();
    for (let id = 2; id < 100; id++) call(running, id, 'echo', { text: 'x', times: 100_000 });
    running.child.stdin.end();
    await running.until('the end', () => running.stderr.includes('shutting down'));
    running.child.kill('SIGTERM');
    await exitOf(running);
    expect(running.child.exitCode).toBe(0);
  });

  test(`${cites('STDIO-EOF')} a reader that is late gets every answer`, () => {
    using folder = temporaryFolder();
    const calls = Array.from({ length: 50 }, (_, id) => ({
      ...{ jsonrpc: '2.0', id, method: 'tools/call' },
      params: { name: 'echo', arguments: { text: 'x', times: 100_000 } },
    }));
    const input = calls.map((each) => JSON.stringify(each)).join('\n');
    // Later than a signal would let it wait.
    const line = `"$1" "$2" stdio 2>err | (sleep 2; wc -l)`;
    const args = ['-c', line, 'sh', process.execPath, fixtureProgram];
    const env = { ...process.env, BATON_STATE: path.join(folder.path, 'state') };
    const { stdout } = spawnSync('sh', args, { cwd: folder.path, env, input, encoding: 'utf8' });
    expect(Number(stdout)).toBe(50);
  });

  test(`${cites('STDIO-EPIPE')} a closed stderr harms nothing`, async () => {
    await using running = startProgram(fixtureProgram, { env: { BATON_LOG_LEVEL: 'debug' } });
    running.child.stderr.destroy();
    for (let id = 1; id < 20; id++) {
      expect(await running.request(id, 'ping')).toMatchObject({ result: {} });
    }
    expect((await running.end()).code).toBe(0);
  });
});

/** The process itself has ended, whether or not its output has been read. */
function exitOf(running: Program): Promise<void> {
  return new Promise((resolve) => {
    if (running.child.exitCode !== null) resolve();
    else running.child.once('exit', () => resolve());
  });
}

test(`${cites('UPGRADE')} a program that is replaced or removed goes on`, async () => {
  using folder = temporaryFolder();
  const copy = path.join(folder.path, 'baton.mjs');
  copyFileSync(fixtureProgram, copy);
  await using running = startProgram(copy);
  await running.until('start', () => running.stderr.includes('ready'));
  rmSync(copy);
  for (const [id, name] of ['echo', 'status', 'crash', 'noisy'].entries()) {
    call(running, id, name);
    expect((await running.reply(id)).result).toBeDefined();
  }
  expect((await running.end()).code).toBe(0);
});

describe('stdout', () => {
  test(`${cites('STDIO-STDOUT', 'T23')} whatever is printed goes to stderr, from the first import on`, async () => {
    await using running = startProgram(fixtureProgram);
    for (const [index, name] of ['noisy', 'echo', 'crash', 'fail', 'liar', 'count'].entries()) {
      call(running, index, name, name === 'count' ? { steps: 2 } : {});
      await running.reply(index);
    }
    await running.end();
    expect(running.garbage).toEqual([]);
    expect(running.replies.every((reply) => reply.jsonrpc === '2.0')).toBe(true);
    for (const printed of [
      'while the program was loading',
      'console.log',
      'console.info',
      'process.stdout.write',
    ]) {
      expect(running.stderr).toContain(printed);
    }
  });
});

describe('logs', () => {
  const LINE =
    /^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\] \[(DEBUG|INFO|WARN|ERROR)\] \[[\w-]+\] .+$/;

  test(`${cites('LOG-FORMAT', 'T29')} one event one line, control characters escaped`, async () => {
    await using running = startProgram(program, { env: { BATON_LOG_LEVEL: 'debug' } });
    await running.request('\u001b[2J\u001b]0;x\u0007\r\n[INFO] fake', 'ping');
    await running.request(1, 'nope\u009b\u202e\r\n[2026-01-01T00:00:00.000Z] [INFO] [baton] fake');
    await running.request(2, 'tools/call', { name: 'x\u001b[31m\u200b', arguments: {} });
    await running.end();
    const lines = running.stderr.trimEnd().split('\n');
    for (const line of lines) expect(line).toMatch(LINE);
    expect(running.stderr).not.toMatch(/[\u001b\u0007\u009b\u202e\u200b\r]/);
    expect(lines.filter((line) => line.startsWith('[2026-01-01'))).toEqual([]);
    const refusal = running.replies.find(({ id }) => id === 2);
    expect(refusal?.error?.message).not.toMatch(/[\u001b\u200b]/);
  });

  test(`${cites('LOG-FILE')} a file per process in the state directory, readable by its owner only`, async () => {
    using state = temporaryFolder();
    const env = { BATON_STATE: path.join(state.path, 'deep', 'state') };
    await using first = startProgram(program, { env });
    await using second = startProgram(program, { env });
    await Promise.all([first.request(1, 'ping'), second.request(1, 'ping')]);
    await Promise.all([first.end(), second.end()]);
    const folder = path.join(env.BATON_STATE, 'logs');
    const files = readdirSync(folder);
    expect(files).toHaveLength(2);
    for (const file of files) {
      const text = readFileSync(path.join(folder, file), 'utf8');
      for (const part of ['Baton 0.', 'ready:', 'shutting down', 'bye'])
        expect(text).toContain(part);
      expect(statSync(path.join(folder, file)).mode & 0o777).toBe(0o600);
    }
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test(`${cites('LOG-DEBUG')} messages at debug, secrets masked, long ones cut`, async () => {
    await using running = startProgram(fixtureProgram, { env: { BATON_LOG_LEVEL: 'debug' } });
    const data = {
      password: 'CANARY-1',
      nested: { apiKey: 'CANARY-2', Authorization: 'CANARY-3' },
    };
    await running.request(1, 'tools/call', {
      name: 'echo',
      arguments: { data, text: 'x', times: 9000 },
    });
    await running.end();
    expect(running.stderr).toContain('← {"jsonrpc":"2.0","id":1');
    expect(running.stderr).toContain('→ {');
    expect(running.stderr).toContain('[redacted]');
    expect(running.stderr).toContain('more characters)');
    expect(running.stderr).not.toContain('CANARY');
  });

  test(`${cites('LOG-DEBUG')} LOG_LEVEL is understood, and info does not show messages`, async () => {
    await using quiet = startProgram(program, { env: { LOG_LEVEL: 'error' } });
    await quiet.request(1, 'ping');
    await quiet.end();
    expect(quiet.stderr).toBe('');
    await using normal = startProgram(program);
    await normal.request(1, 'ping');
    await normal.end();
    expect(normal.stderr).not.toContain('←');
  });
});
