import { spawn } from 'node:child_process';
import { cites } from '@baton/e2e/requirements';
import { temporaryFolder } from '@baton/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { JobFamily } from '../processes-under-test.ts';
import {
  carriers,
  environment,
  isLiving,
  kill,
  shell,
  sightings,
  startJob,
  until,
} from './jobs.ts';

/** Deaf to TERM, and so is what it starts. */
const deaf = (script: string) => `trap "" TERM; ${script}`;

/** Leads a session of its own by the time that the script goes on. */
const inOwnSession = (command: string) =>
  `${command} & until [ "$(cut -d' ' -f 6 /proc/$!/stat)" = $! ]; do :; done`;

const untilOutput = (job: ReturnType<typeof shell>, text: string) =>
  until(`"${text}"`, () => job.output().includes(text));

test(`${cites('T21')} stopping ends grandchildren that do not listen, and says so`, async () => {
  const job = shell(`(${deaf('echo ready; sleep 300')})& wait`);
  await untilOutput(job, 'ready');
  await until('sleep to start', () => carriers(job.trackingId).length >= 2);
  job.stop(100);
  const ending = await job.ended;
  expect(ending).toMatchObject({ kind: 'signal', signal: 'SIGTERM' });
  expect(ending.leftovers).toBeGreaterThan(0);
  expect(carriers(job.trackingId)).toEqual([]);
});

test('a process that listens gets its grace and ends in its own way', async () => {
  const job = shell(
    'trap "sleep 0.3; echo tidy; exit 5" TERM; echo ready; while :; do sleep 0.01; done',
  );
  await untilOutput(job, 'ready');
  job.stop(30_000);
  expect(await job.ended).toMatchObject({ kind: 'exit', code: 5 });
  expect(job.output()).toContain('tidy\n');
});

test('a child gets the whole grace though the leader went at once', async () => {
  const child = `trap "sleep 0.3; echo tidy; exit" TERM; echo ready; while :; do sleep 0.01; done`;
  const job = shell(`(${child})& wait`, { leftoverGraceMs: 1 });
  await untilOutput(job, 'ready');
  job.stop(30_000);
  expect(await job.ended).toMatchObject({ signal: 'SIGTERM' });
  expect(job.output()).toContain('tidy\n');
});

test('a leader that does not listen is killed after the grace', async () => {
  const job = shell(deaf('echo ready; while :; do sleep 300; done'));
  await untilOutput(job, 'ready');
  job.stop(50);
  expect(await job.ended).toMatchObject({ kind: 'signal', signal: 'SIGKILL' });
  expect(carriers(job.trackingId)).toEqual([]);
});

test('stopped in the moment of its start, it ends', async () => {
  const job = startJob('sleep', ['300']);
  job.stop(30_000);
  expect(await job.ended).toEqual({ kind: 'signal', signal: 'SIGTERM', leftovers: 0 });
});

test('stopped again with a shorter grace it ends sooner, with a longer one no later', async () => {
  const job = shell(deaf('echo ready; while :; do sleep 300; done'));
  await untilOutput(job, 'ready');
  const start = performance.now();
  job.stop(600_000);
  job.stop(100);
  job.stop(600_000);
  expect(await job.ended).toMatchObject({ signal: 'SIGKILL' });
  expect(performance.now() - start).toBeGreaterThanOrEqual(95);
});

test('TERM is sent once, however often it is stopped', async () => {
  const job = shell(
    'trap "echo term" TERM; echo ready; n=0; while [ $n -lt 50 ]; do sleep 0.01; n=$((n+1)); done',
  );
  await untilOutput(job, 'ready');
  job.stop(30_000);
  job.stop(20_000);
  await untilOutput(job, 'term');
  job.stop(10_000);
  expect(await job.ended).toMatchObject({ kind: 'exit', code: 0 });
  expect(job.output().match(/^term$/gm)).toHaveLength(1);
  job.stop(0);
});

test('who left the group is ended by its tracking id', async () => {
  const job = shell(`setsid sh -c '${deaf('echo away; sleep 300')}' & wait`);
  await untilOutput(job, 'away');
  job.stop(100);
  expect((await job.ended).leftovers).toBeGreaterThan(0);
  expect(carriers(job.trackingId)).toEqual([]);
});

test('who left the group is told too, and may tidy up', async () => {
  const away = 'trap "echo tidy; exit" TERM; echo away; while :; do sleep 0.01; done';
  const job = shell(`setsid sh -c '${away}' & wait`);
  await untilOutput(job, 'away');
  job.stop(30_000);
  await job.ended;
  expect(job.output()).toContain('tidy\n');
});

test('who left the group is told while the leader still waits for it', async () => {
  const away = 'trap "echo tidy; exit" TERM; echo away; while :; do sleep 0.01; done';
  const leader = `trap : TERM; setsid sh -c '${away}' & while kill -0 $!; do sleep 0.01; done; exit 0`;
  const job = shell(leader);
  await untilOutput(job, 'away');
  job.stop(30_000);
  expect(await job.ended).toMatchObject({ kind: 'exit', code: 0 });
  expect(job.output()).toContain('tidy\n');
});

test('what is left in the background is ended, and the job with it', async () => {
  const job = shell('sleep 300 & exit 3', { leftoverGraceMs: 30_000 });
  expect(await job.ended).toEqual({ kind: 'exit', code: 3, leftovers: 1 });
  expect(carriers(job.trackingId)).toEqual([]);
});

test('what is left in the background and does not listen is killed', async () => {
  const job = shell(`(${deaf('echo ready; sleep 300')})& exit 3`, { leftoverGraceMs: 100 });
  expect(await job.ended).toMatchObject({ kind: 'exit', code: 3 });
  expect(carriers(job.trackingId)).toEqual([]);
});

test('stopping hurries the leftovers of a leader that has gone', async () => {
  const child = deaf('sleep 300');
  const job = shell(`(${child})& echo ready; exit 3`, { leftoverGraceMs: 600_000 });
  await untilOutput(job, 'ready');
  await until('the leader to go', () => !isLiving(job.pid ?? 0));
  job.stop(10);
  expect(await job.ended).toMatchObject({ kind: 'exit', code: 3 });
  expect(carriers(job.trackingId)).toEqual([]);
});

test('who left the group and holds the output is ended with the leader', async () => {
  const job = shell(`${inOwnSession('setsid sleep 300')}; echo ready`);
  expect(await job.ended).toMatchObject({ kind: 'exit', code: 0, leftovers: 1 });
  expect(carriers(job.trackingId)).toEqual([]);
});

test('output that a stranger holds open is given up on', async () => {
  const job = shell(`${inOwnSession('env -i setsid sleep 300')}; echo $!`);
  onTestFinished(() => kill(Number(job.output())));
  expect(await job.ended).toMatchObject({ kind: 'exit', code: 0, leftovers: 0 });
  expect(isLiving(Number(job.output()))).toBe(true);
});

test('members without any environment are ended with their group', async () => {
  const job = shell('env -i sleep 300 & echo $!');
  expect(await job.ended).toMatchObject({ kind: 'exit', leftovers: 1 });
  expect(isLiving(Number(job.output()))).toBe(false);
});

test('who forks without end, in the group and out of it, is ended', async () => {
  // Every generation starts the next and exits: whoever was seen is gone when it is signalled.
  // If it does escape, it ends with the folder.
  using leash = temporaryFolder();
  const inGroup = 'run() { [ -d "$LEASH" ] && run & }; run';
  const away = '[ -d "$LEASH" ] && setsid sh -c "$AWAY" &';
  const job = shell(deaf(`(${inGroup})& setsid sh -c "$AWAY" & echo ready; sleep 300`), {
    env: { ...environment, AWAY: away, LEASH: leash.path },
  });
  await untilOutput(job, 'ready');
  expect(sightings(job.trackingId)).toBeGreaterThan(0);
  job.stop(50);
  expect(await job.ended).toMatchObject({ kind: 'signal' });
  expect(sightings(job.trackingId)).toBe(0);
  expect(carriers(job.trackingId)).toEqual([]);
});

test('a group that has got the number of our leader is left alone', async () => {
  const stranger = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
  onTestFinished(() => kill(stranger.pid));
  const family = new JobFamily(stranger.pid ?? 0, 'somebody-else');
  const leftovers = family.endLeftovers(0, new Promise(() => {}));
  family.stop(0);
  expect(await leftovers).toBe(0);
  expect(stranger.exitCode).toBeNull();
  expect(isLiving(stranger.pid ?? 0)).toBe(true);
});
