import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@baton/testkit';
import { afterAll, expect, test } from 'vitest';
import { environment, startJob } from './jobs.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

function write(name: string, text: string, mode: number): string {
  const file = path.join(folder.path, name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

const plain = write('plain.txt', 'just text', 0o644);
const script = write('script', '#!/no/such/interpreter\n', 0o755);
const huge = { ...environment, HUGE: 'x'.repeat(3 * 1024 * 1024) };

test.each([
  ['a missing program', '/no/such', {}, 'start_not_found', 'The program /no/such does not exist.'],
  ['a name not in PATH', 'no-such', {}, 'start_not_found', 'no-such was not found in PATH.'],
  ['no name', '', {}, 'start_not_found', 'The command names no program.'],
  ['a NUL in the name', 'a\0b', {}, 'start_not_found', '"a\\u0000b" was not found'],
  ['a file below a file', `${plain}/x`, {}, 'start_not_found', `${plain}/x does not exist`],
  [
    'a missing interpreter',
    script,
    {},
    'start_not_found',
    'the interpreter that it names is missing',
  ],
  ['no program', plain, {}, 'start_denied', `${plain} cannot be started: it is not a program`],
  ['a folder', folder.path, {}, 'start_denied', 'it is not a program that this user may run'],
  ['a NUL in an argument', 'ls', { args: ['a\0b'] }, 'start_denied', 'without null bytes'],
  ['a missing folder', 'ls', { cwd: '/no/such' }, 'start_bad_folder', '/no/such does not exist.'],
  ['a file as folder', 'ls', { cwd: plain }, 'start_bad_folder', `${plain} is not a folder.`],
  ['a NUL in the folder', 'ls', { cwd: '/a\0' }, 'start_bad_folder', '"/a\\u0000" does not exist'],
  ['both missing', '/no/such', { cwd: '/no/dir' }, 'start_bad_folder', '/no/dir does not exist.'],
  ['a huge environment', 'ls', { env: huge }, 'start_too_big', 'ls cannot be started: its arg'],
])('%s: the job says that it did not start, and why', async (_, file, command, reason, message) => {
  const job = startJob(file, [], command);
  expect(job.pid).toBeUndefined();
  job.stop(0);
  expect(await job.ended).toEqual({
    kind: 'not_started',
    reason,
    message: expect.stringContaining(message),
    leftovers: 0,
  });
});

test('without free file descriptors the job says that it can be tried again', async () => {
  // Lowers our own limit and puts it back: a helper has to, as we could not start one by then.
  const limit = `prlimit --pid ${process.pid} --nofile`;
  const before = 'before=$(prlimit --pid $PPID --nofile -o SOFT --noheadings)';
  const helper = spawn(
    'sh',
    ['-c', `${before}; ${limit}=3: && echo low; read line; ${limit}=$before: && echo back`],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  await once(helper.stdout, 'data');
  try {
    const job = startJob('true');
    expect(await job.ended).toMatchObject({
      kind: 'not_started',
      reason: 'start_no_resources',
      message: expect.stringContaining('too many files are open (EMFILE)'),
    });
  } finally {
    helper.stdin.end('\n');
    await once(helper, 'close');
  }
  const job = startJob('true');
  expect(await job.ended).toMatchObject({ kind: 'exit', code: 0 });
});
