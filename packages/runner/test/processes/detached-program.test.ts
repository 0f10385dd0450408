import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@baton/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { startDetached } from '../processes-under-test.ts';
import { environment, isLiving, kill, statOf, until } from './jobs.ts';

const source = path.resolve(import.meta.dirname, '../../src/processes/detached-program.ts');

/** A program that writes its number into a file, and what it finds of its environment. */
const program = {
  command: 'sh',
  args: ['-c', 'env > env; echo $$ > pid.new; mv pid.new pid; exec sleep 300', 'a "b" c'],
};

function place() {
  const folder = temporaryFolder();
  const file = (name: string) => path.join(folder.path, name);
  const readPid = () =>
    existsSync(file('pid')) ? Number(readFileSync(file('pid'), 'utf8')) : undefined;
  onTestFinished(() => {
    kill(readPid());
    folder[Symbol.dispose]();
  });
  return { cwd: folder.path, file, pid: () => until('it to start', readPid) };
}

test('the program is in no tree, group or session of ours', async () => {
  const { cwd, pid } = place();
  await startDetached(program, { cwd, env: environment });
  const started = await pid();
  const [, parent, group, session] = statOf(started) ?? [];
  expect(parent).not.toBe(String(process.pid));
  expect(group).toBe(String(started));
  expect(session).toBe(String(started));
  // Whoever adopts orphans here: the first process, or one that asked for it.
  const ours = [process.pid, process.ppid].map(String);
  expect(ours).not.toContain(parent);
});

test('it has the environment that was given, without the tracking id, and no output', async () => {
  const { cwd, file, pid } = place();
  await startDetached(program, { cwd, env: { ...environment, BATON_JOB: 'job', KEPT: 'a "b"' } });
  const started = await pid();
  const env = readFileSync(file('env'), 'utf8');
  expect(env).toContain('KEPT=a "b"\n');
  expect(env).not.toContain('BATON_JOB');
  expect(env).not.toContain('ELECTRON_RUN_AS_NODE');
  expect(readFileSync(`/proc/${started}/cmdline`, 'utf8')).not.toContain('KEPT');
});

test('what Electron needs to be Node.js is handed on', async () => {
  const { cwd, file, pid } = place();
  await startDetached(program, { cwd, env: { ...environment, ELECTRON_RUN_AS_NODE: '1' } });
  await pid();
  expect(readFileSync(file('env'), 'utf8')).toContain('ELECTRON_RUN_AS_NODE=1\n');
});

test('it survives that the group of its starter is killed', async () => {
  const { cwd, pid } = place();
  const code = `
    const { startDetached } = await import(${JSON.stringify(source)});
    await startDetached(${JSON.stringify(program)}, ${JSON.stringify({ cwd, env: environment })});
    setInterval(() => {}, 1000);`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', code];
  const starter = spawn(process.execPath, args, { detached: true, stdio: 'inherit' });
  onTestFinished(() => kill(starter.pid));
  const started = await pid();
  const gone = new Promise((resolve) => starter.once('exit', resolve));
  if (starter.pid) process.kill(-starter.pid, 'SIGKILL');
  await gone;
  expect(isLiving(started)).toBe(true);
  expect(statOf(started)?.[3]).not.toBe(String(starter.pid));
});

test.each([
  ['a missing program', { command: '/no/such' }, {}, 'spawn /no/such ENOENT'],
  ['a bad argument', { args: ['a\0b'] }, {}, 'without null bytes'],
  ['a missing folder', {}, { cwd: '/no/such' }, 'ENOENT'],
  ['a file as folder', {}, { cwd: '/etc/passwd' }, 'ENOTDIR'],
])('%s is a failure that says why', async (_, wrong, options, why) => {
  const { cwd } = place();
  await expect(
    startDetached({ ...program, ...wrong }, { cwd, env: environment, ...options }),
  ).rejects.toMatchObject({
    name: 'BatonError',
    code: 'worker_not_started',
    message: expect.stringContaining(why),
  });
});
