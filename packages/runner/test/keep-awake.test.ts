import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createMemoryLog, temporaryFolder } from '@baton/testkit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type AwakeCommand, awakeCommand, KeepAwake } from '../src/keep-awake.ts';

function createPlace() {
  const folder = temporaryFolder();
  const file = path.join(folder.path, 'held');
  const log = createMemoryLog();
  return {
    log,
    /** As the programs of the platforms do: held until the input ends. */
    command: ['sh', '-c', `echo held >> '${file}'; cat; echo over >> '${file}'`] as AwakeCommand,
    story: () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').join(' ') : ''),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

test('every platform has a program that holds until its input ends', () => {
  expect(awakeCommand('linux')).toEqual([
    'systemd-inhibit',
    '--what=idle',
    '--mode=block',
    '--who=Baton',
    '--why=Jobs of a plan are running',
    'cat',
  ]);
  expect(awakeCommand('darwin')).toEqual(['caffeinate', '-i', 'cat']);
  expect(awakeCommand('win32')?.at(-1)).toContain('ReadToEnd');
  expect(awakeCommand('aix')).toBeUndefined();
});

test('it holds from beginning to end, once, and again the next time', async () => {
  using place = createPlace();
  const awake = new KeepAwake(place.log, place.command, 0);
  awake.begin();
  awake.begin();
  await vi.waitFor(() => expect(place.story()).toBe('held'), 10_000);
  awake.begin();
  awake.end();
  await vi.waitFor(() => expect(place.story()).toBe('held over'), 10_000);
  awake.begin();
  await vi.waitFor(() => expect(place.story()).toBe('held over held'), 10_000);
  awake.end();
  await vi.waitFor(() => expect(place.story()).toBe('held over held over'), 10_000);
  expect(place.log.entries).toEqual([]);
});

test('what is over soon needs none', async () => {
  using place = createPlace();
  vi.useFakeTimers();
  const awake = new KeepAwake(place.log, place.command);
  awake.begin();
  vi.advanceTimersByTime(29_000);
  awake.end();
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  const other = new KeepAwake(place.log, place.command, 0);
  other.begin();
  await vi.waitFor(() => expect(place.story()).not.toBe(''), 10_000);
  other.end();
  await vi.waitFor(() => expect(place.story()).toBe('held over'), 10_000);
});

test.each([
  ['is missing', ['baton-no-such-program'], 'ENOENT'],
  ['cannot', ['false'], 'false ended with 1'],
  ['cannot even be named', ['no\0name'], 'null bytes'],
] as const)(
  'where the program %s, that is said once and nothing else happens',
  async (_, command, why) => {
    using place = createPlace();
    const awake = new KeepAwake(place.log, command, 0);
    awake.begin();
    await vi.waitFor(() => expect(place.log.entries).toHaveLength(1), 10_000);
    expect(place.log.entries[0]?.message).toContain(why);
    awake.begin();
    awake.end();
    awake.begin();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(place.log.entries).toHaveLength(1);
  },
);

test('it ends with whoever holds it, also by KILL and with jobs that go on', async () => {
  using place = createPlace();
  const source = path.resolve(import.meta.dirname, '../src/keep-awake.ts');
  const code = `
    const { spawn } = await import('node:child_process');
    const { KeepAwake } = await import(${JSON.stringify(source)});
    new KeepAwake({ write() {} }, ${JSON.stringify(place.command)}, 0).begin();
    setTimeout(() => {
      const job = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
      console.log(job.pid);
    }, 100);
    setInterval(() => {}, 1000);`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', code];
  const owner = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void owner.kill('SIGKILL'));
  const job = Number(await new Promise((resolve) => owner.stdout.once('data', resolve)));
  onTestFinished(() => void process.kill(job, 'SIGKILL'));
  await vi.waitFor(() => expect(place.story()).toBe('held'), 10_000);
  owner.kill('SIGKILL');
  await vi.waitFor(() => expect(place.story()).toBe('held over'), 10_000);
});
