import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type Program, startProgram, temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';
import { program } from './programs.ts';
import { cites } from './requirements.ts';

function baton(state: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: state,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: state, BATON_STATE: path.join(state, 'state') },
  });
  return { status, stdout, stderr };
}

async function storeStatus(running: Program, id: number) {
  const reply = await running.request(id, 'tools/call', { name: 'status', arguments: {} });
  return reply.result.structuredContent.store;
}

test(`${cites('STORE-PLACE')} the store is made on first use, in the state folder, for this user alone`, () => {
  using folder = temporaryFolder();
  const file = path.join(folder.path, 'state', 'baton.db');
  expect(baton(folder.path, 'store', 'info')).toMatchObject({
    status: 0,
    stdout: `There is no store yet: ${file} is made on first use.\n`,
  });
  expect(existsSync(file)).toBe(false);
  expect(JSON.parse(baton(folder.path, 'call', 'status').stdout).store).toEqual({
    path: file,
    isReady: true,
    engine: expect.stringMatching(/^SQLite 3\.\d+\.\d+$/),
  });
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test(`${cites('STORE-PLACE')} it is found from the home folder, whatever XDG variables say`, () => {
  using folder = temporaryFolder();
  const ask = (env: Record<string, string>) => {
    const run = spawnSync(process.execPath, [program, 'call', 'status'], {
      cwd: folder.path,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder.path, ...env },
    });
    return JSON.parse(run.stdout).store.path;
  };
  const place = ask({});
  expect(place.startsWith(folder.path)).toBe(true);
  expect(ask({ XDG_STATE_HOME: path.join(folder.path, 'x'), XDG_DATA_HOME: '/x' })).toBe(place);
});

test(`${cites('CLI-STORE')} info, check and vacuum tell about the store`, () => {
  using folder = temporaryFolder();
  baton(folder.path, 'status');
  const { stdout } = baton(folder.path, 'store', 'info');
  expect(stdout).toMatch(
    /^engine +SQLite 3\.\S+ by (node:sqlite|@photostructure\/sqlite), journal wal$/m,
  );
  expect(stdout).toMatch(/^schema +plans \d+, store \d+, tickets \d+, trust \d+$/m);
  expect(stdout).toMatch(/^leases +none$/m);
  expect(JSON.parse(baton(folder.path, 'store', 'info', '--json').stdout)).toMatchObject({
    journal: 'wal',
    leases: [],
  });
  expect(baton(folder.path, 'store', 'check')).toMatchObject({
    status: 0,
    stdout: 'No damage found.\n',
  });
  expect(baton(folder.path, 'store', 'vacuum').stdout).toMatch(/ before, .* now\.$/m);
  const alone = baton(folder.path, 'store');
  expect(alone.status).toBe(2);
  expect(alone.stderr).toContain('`baton store backup`');
});

test(`${cites('CLI-STORE')} a backup is complete, private, never overwrites, and can be put back`, () => {
  using folder = temporaryFolder();
  const file = path.join(folder.path, 'state', 'baton.db');
  const copy = path.join(folder.path, 'copy.db');
  baton(folder.path, 'status');
  expect(baton(folder.path, 'store', 'backup').status).toBe(2);
  expect(baton(folder.path, 'store', 'backup', 'copy.db').status).toBe(0);
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  const before = readFileSync(copy);
  const again = baton(folder.path, 'store', 'backup', 'copy.db');
  expect(again.status).toBe(1);
  expect(again.stderr).toContain('backup_exists');
  expect(readFileSync(copy).equals(before)).toBe(true);
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  cpSync(copy, file);
  expect(baton(folder.path, 'store', 'check')).toMatchObject({ status: 0 });
});

test(`${cites('CLI-DOCTOR', 'T20')} doctor and status name a damaged store, which is left as it is`, () => {
  using folder = temporaryFolder();
  const file = path.join(folder.path, 'state', 'baton.db');
  baton(folder.path, 'status');
  expect(baton(folder.path, 'doctor').stdout).toMatch(/^ok +integrity +no damage found$/m);
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
  truncateSync(file, 0);
  const { status, stdout } = baton(folder.path, 'doctor');
  expect(status).toBe(1);
  expect(stdout).toMatch(/^fail +store +The store .* is damaged: the file is empty/m);
  expect(stdout).toContain('→ Stop all Baton processes');
  expect(JSON.parse(baton(folder.path, 'call', 'status').stdout).store).toMatchObject({
    isReady: false,
    problem: expect.stringContaining('is damaged'),
    next: expect.stringContaining('backup'),
  });
  expect(statSync(file).size).toBe(0);
  expect(baton(folder.path, 'store', 'check').stderr).toContain('store_corrupt');
});

test(`${cites('T19')} a server whose store cannot be opened lives, says so, and recovers`, async () => {
  await using running = startProgram(program);
  const file = path.join(running.home, 'state', 'baton.db');
  await running.until('start', () => running.stderr.includes('ready'));
  spawnSync('mkdir', ['-p', path.dirname(file)]);
  writeFileSync(file, 'this is not a database, but it is long enough to look like a file');
  const broken = await storeStatus(running, 1);
  expect(broken).toMatchObject({ isReady: false, problem: expect.stringContaining(file) });
  expect(readFileSync(file, 'utf8')).toContain('this is not a database');
  rmSync(file);
  expect(await storeStatus(running, 2)).toMatchObject({ isReady: true });
});

test(`${cites('STORE-SHARED')} eight servers that start at once make one store together`, async () => {
  using folder = temporaryFolder();
  const env = { BATON_STATE: path.join(folder.path, 'state') };
  const running = Array.from({ length: 8 }, () => startProgram(program, { env }));
  try {
    const stores = await Promise.all(running.map((one) => storeStatus(one, 1)));
    expect(stores.every(({ isReady }) => isReady)).toBe(true);
    expect(new Set(stores.map(({ path: place }) => place)).size).toBe(1);
    const ends = await Promise.all(running.map((one) => one.end()));
    expect(ends.map(({ code }) => code)).toEqual(Array(8).fill(0));
  } finally {
    await Promise.all(running.map((one) => one[Symbol.asyncDispose]()));
  }
  const check = spawnSync(process.execPath, [program, 'store', 'check'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder.path, ...env },
  });
  expect(check.stdout).toBe('No damage found.\n');
});

test(`${cites('STORE-SELF-CONTAINED')} the program needs nothing but its own folder`, () => {
  using folder = temporaryFolder();
  cpSync(path.dirname(program), path.join(folder.path, 'dist'), { recursive: true });
  const { stdout } = spawnSync(
    process.execPath,
    [path.join(folder.path, 'dist', 'baton.mjs'), 'call', 'status'],
    { cwd: folder.path, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: folder.path } },
  );
  expect(JSON.parse(stdout).store).toMatchObject({ isReady: true });
});
