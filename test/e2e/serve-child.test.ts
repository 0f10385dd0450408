import { once } from 'node:events';
import { startProgram } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import { program } from './programs.ts';
import { cites } from './requirements.ts';

const TOKEN = 'test-token-0123456789-0123456789-abcdef';

function serveAsChild(args: string[] = ['--port', '0'], env: Record<string, string> = {}) {
  return startProgram(program, {
    args: ['serve', '--child', ...args],
    env: { BATON_TOKEN: TOKEN, ...env },
  });
}

/** stdout holds exactly one line of JSON. */
async function firstLine(served: ReturnType<typeof serveAsChild>) {
  await served.until('a line', () => served.replies[0]);
  expect(served.garbage).toEqual([]);
  // biome-ignore lint/suspicious/noExplicitAny: the line is no message of the protocol
  return served.replies[0] as any;
}

describe(`${cites('CLI-SERVE-CHILD')} baton serve --child`, () => {
  test('says where it is and what clients need, never the token', async () => {
    await using served = serveAsChild();
    const said = await firstLine(served);
    expect(said).toMatchObject({ version: expect.any(String), port: expect.any(Number) });
    expect(said.url).toBe(`http://127.0.0.1:${said.port}/mcp`);
    expect(said.clients.map(({ client }: { client: string }) => client)).toContain('Claude Code');
    for (const { text } of said.clients) expect(text).toContain('<token>');
    expect(JSON.stringify(said)).not.toContain(TOKEN);
    const health = await fetch(`http://127.0.0.1:${said.port}/health`);
    expect(health.status).toBe(200);
  });

  test('stops when its stdin ends', async () => {
    await using served = serveAsChild();
    await firstLine(served);
    served.child.stdin.end();
    expect(await served.exited).toEqual({ code: 0, signal: null });
    expect(served.stderr).toContain('the parent is gone');
  });

  test('says why it does not start, with the code', async () => {
    await using first = serveAsChild();
    const { port } = await firstLine(first);
    await using second = serveAsChild(['--port', String(port)]);
    expect(await firstLine(second)).toEqual({
      error: {
        code: 'port_in_use',
        message: expect.stringContaining(`Port ${port} is in use by process ${first.child.pid}`),
        next: expect.any(String),
      },
    });
    expect((await second.exited).code).toBe(1);
    await using third = serveAsChild(['--port', '0'], { BATON_LOG_LEVEL: 'loud' });
    expect((await firstLine(third)).error.code).toBe('config_invalid');
  });

  test('ends although a client holds a stream open', async () => {
    await using served = serveAsChild();
    const { port } = await firstLine(served);
    const stream = await fetch(`http://127.0.0.1:${port}/sse`, {
      headers: { Authorization: `Bearer ${TOKEN}` },
    });
    expect(stream.status).toBe(200);
    served.child.stdin.destroy();
    await once(served.child, 'exit');
    await expect(stream.text()).resolves.toContain('endpoint');
  });
});
