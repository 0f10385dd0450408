import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';
import { program } from './programs.ts';
import { cites } from './requirements.ts';

const calls = [
  ['status', {}],
  ['ticket_find', {}],
  ['ticket_create', { title: 'another' }],
  ['plan_create', { name: 'p', jobs: [{ id: 'one', work: 'true' }] }],
  ['rename_file', { from: 'a.ts', to: 'b.ts' }],
] as const;

/** What a client writes to stdin, each call with its place as its id. */
const session = [
  {
    id: 'initialize',
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    },
  },
  { method: 'notifications/initialized' },
  ...calls.map(([name, args], id) => ({
    id,
    method: 'tools/call',
    params: { name, arguments: args },
  })),
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('');

/** In a file system of its own: root may write any other. Each part ends with a line of `=`. */
const script = `
  set -e
  mount -t tmpfs baton "$BATON_STATE"
  baton() { "$NODE" "$PROGRAM" "$@" 2>&1 || echo "exit $?"; echo ====; }
  baton call ticket_create '{"title":"first"}' > /dev/null
  mount -o remount,ro "$BATON_STATE"
  baton stdio 2> /dev/null < session
  baton worker
  baton doctor
  baton ticket list
`;

// A file system of our own needs Linux.
test.runIf(process.platform === 'linux')(
  `${cites('T19', 'T39')} with a read-only state folder everything that writes says so, and reads go on`,
  () => {
    using folder = temporaryFolder();
    const state = path.join(folder.path, 'state');
    mkdirSync(state);
    writeFileSync(path.join(folder.path, 'session'), session);
    writeFileSync(path.join(folder.path, 'a.ts'), 'export const a = 1;\n');
    const { stdout, stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', script], {
      cwd: folder.path,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        HOME: folder.path,
        BATON_STATE: state,
        NODE: process.execPath,
        PROGRAM: program,
      },
    });
    expect(stderr).toBe('');
    const [served = '', worker = '', doctor = '', list = ''] = stdout.split('====\n');
    const answers = served
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
      .sort((one, other) => Number(one.id) - Number(other.id));
    const results = answers
      .filter(({ id }) => typeof id === 'number')
      .map(({ result }) => result.structuredContent);
    expect(results).toEqual([
      expect.objectContaining({
        store: expect.objectContaining({
          isReady: true,
          problem: expect.stringContaining('cannot be written'),
          next: expect.stringContaining('BATON_STATE'),
        }),
      }),
      expect.objectContaining({ tickets: [expect.objectContaining({ title: 'first' })] }),
      expect.objectContaining({ code: 'store_read_only' }),
      {
        code: 'state_unwritable',
        message: expect.stringContaining(
          `${path.join(state, 'env.key')}, which belongs to its state`,
        ),
        next: expect.stringContaining('BATON_STATE'),
      },
      expect.objectContaining({ code: 'store_read_only' }),
    ]);
    expect(worker).toMatch(/baton: state_unwritable: .*its disk is read-only.*\nexit 1/);
    expect(doctor).toMatch(/^fail +state +.*read-only/m);
    expect(doctor).toMatch(/^fail +store +.*cannot be written/m);
    expect(list).toContain('first');
  },
);
