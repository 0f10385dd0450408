import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startJobProcess } from '../processes-under-test.ts';
import { environment, shell, startJob, until } from './jobs.ts';

test.each([0, 1, 3, 255])('a process that exits with %i says so', async (code) => {
  const job = shell(`exit ${code}`);
  expect(await job.ended).toEqual({ kind: 'exit', code, leftovers: 0 });
});

test.each(['SIGTERM', 'SIGKILL', 'SIGSEGV'])(
  'a process that dies of %s says so',
  async (signal) => {
    const job = shell(`kill -${signal.slice(3)} $$`);
    expect(await job.ended).toEqual({ kind: 'signal', signal, leftovers: 0 });
  },
);

test('the environment is what was given and the tracking id, nothing inherited', async () => {
  const job = startJob('/usr/bin/env', [], { env: { ONLY: 'this' } });
  await job.ended;
  expect(job.output().trim().split('\n').sort()).toEqual([
    `BATON_JOB=${job.trackingId}`,
    'ONLY=this',
  ]);
});

test('the process leads a group and a session of its own', async () => {
  const job = shell('cut -d" " -f 5,6 /proc/$$/stat');
  await job.ended;
  expect(job.output().trim()).toBe(`${job.pid} ${job.pid}`);
});

test('the folder is the one that was given, and input is empty', async () => {
  const job = shell('pwd; cat', { cwd: '/usr' });
  await job.ended;
  expect(job.output()).toBe('/usr\n');
});

test('both streams are read to the end, characters that were split included', async () => {
  const program = `
    const bytes = Buffer.from('ä€😀'.repeat(1000));
    let at = 0;
    (function next() {
      if (at >= bytes.length) return process.stderr.write('end of errors\\n');
      process.stdout.write(bytes.subarray(at, (at += 7)), next);
    })();`;
  const job = startJob(process.execPath, ['-e', program]);
  expect(await job.ended).toMatchObject({ kind: 'exit', code: 0 });
  expect(job.output().replace('end of errors\n', '')).toBe('ä€😀'.repeat(1000));
  expect(job.output()).toContain('end of errors');
});

test('what a process writes last before it exits is not lost', async () => {
  for (let round = 0; round < 20; round++) {
    const job = shell('head -c 150000 /dev/zero; head -c 50000 /dev/zero >&2; exit 7');
    expect(await job.ended).toMatchObject({ code: 7 });
    expect(job.output()).toHaveLength(200_000);
  }
});

test('a flood of 200 MB passes through without being kept', async () => {
  const before = process.memoryUsage().rss;
  let bytes = 0;
  let highest = 0;
  const job = startJobProcess(
    { file: 'head', args: ['-c', '200M', '/dev/zero'], cwd: '/', env: environment },
    {
      trackingId: randomUUID(),
      onOutput: (chunk) => {
        bytes += chunk.length;
        highest = Math.max(highest, process.memoryUsage.rss());
        return undefined;
      },
    },
  );
  expect(await job.ended).toMatchObject({ code: 0 });
  expect(bytes).toBe(200 * 1024 * 1024);
  expect(highest - before).toBeLessThan(100 * 1024 * 1024);
});

test('a flood waits until its output is taken, and loses nothing by that', async () => {
  let bytes = 0;
  let take = () => {};
  const taken = new Promise<void>((resolve) => {
    take = resolve;
  });
  const job = startJobProcess(
    { file: 'head', args: ['-c', '50M', '/dev/zero'], cwd: '/', env: environment },
    {
      trackingId: randomUUID(),
      onOutput: (chunk) => {
        bytes += chunk.length;
        return taken;
      },
    },
  );
  const { pid } = job;
  // It fills what is between us, and hangs in that.
  await until('a blocked write', () =>
    /sock|pipe/.test(readFileSync(`/proc/${pid}/wchan`, 'utf8')),
  );
  expect(bytes).toBeLessThan(1024 * 1024);
  take();
  expect(await job.ended).toMatchObject({ code: 0 });
  expect(bytes).toBe(50 * 1024 * 1024);
});

test('what was said last is waited for, however long it takes to take it', async () => {
  const heard: string[] = [];
  const job = startJobProcess(
    { file: 'sh', args: ['-c', 'echo first; echo last >&2'], cwd: '/', env: environment },
    {
      trackingId: randomUUID(),
      onOutput: (chunk) => {
        heard.push(chunk.toString());
        // Longer than an output that somebody else holds open is waited for.
        return pause(1500);
      },
    },
  );
  await job.ended;
  expect(heard.sort()).toEqual(['first\n', 'last\n']);
});

test('200 jobs that do nothing, four at a time, all end well', async () => {
  const endings: unknown[] = [];
  const numbers = Array.from({ length: 200 }).keys();
  const lane = async () => {
    for (const _ of numbers) {
      const job = startJobProcess(
        { file: 'true', args: [], cwd: '/', env: environment },
        { trackingId: randomUUID(), onOutput: () => undefined },
      );
      endings.push(await job.ended);
    }
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  expect(endings).toHaveLength(200);
  expect(new Set(endings.map((ending) => JSON.stringify(ending)))).toEqual(
    new Set([JSON.stringify({ kind: 'exit', code: 0, leftovers: 0 })]),
  );
});
