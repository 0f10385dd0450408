import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import {
  endRecordedGroup,
  endTracked,
  findTracked,
  signalGroup,
  signalProcess,
  trackedIn,
  trackingIdIn,
} from '../processes-under-test.ts';
import {
  carriers,
  environment,
  isLiving,
  kill,
  killAllOf,
  membersOf,
  startJob,
  statOf,
  until,
} from './jobs.ts';

/** A process of another session, as a worker that has crashed leaves it. */
function orphan(id: string, script: string, env: Record<string, string> = {}): number {
  const child = spawn('sh', ['-c', script], {
    env: { ...environment, BATON_JOB: id, ...env },
    detached: true,
    stdio: 'ignore',
  });
  onTestFinished(() => {
    killAllOf(id);
    kill(child.pid);
  });
  return child.pid ?? 0;
}

const idsOf = async () => (await findTracked()).map(({ trackingId }) => trackingId);

test('who carries the variable is found, with its children', async () => {
  const id = randomUUID();
  const pid = orphan(id, 'sleep 300 & wait');
  await until('both to start', () => carriers(id).length === 2);
  const found = (await findTracked()).filter(({ trackingId }) => trackingId === id);
  expect(found).toHaveLength(2);
  expect(found).toContainEqual({ pid, trackingId: id });
});

test('a zombie is not found', async () => {
  const id = randomUUID();
  // The shell becomes a `sleep`, which knows nothing of the child that it has inherited.
  const pid = orphan(id, 'BATON_JOB=$BATON_JOB-child true & exec sleep 300');
  const isZombie = (child: number) => statOf(child)?.[1] === String(pid) && !isLiving(child);
  await until('a zombie', () => readdirSync('/proc').map(Number).some(isZombie));
  const found = (await idsOf()).filter((found) => found.startsWith(id));
  expect(found).toEqual([id]);
});

test('the variable is matched exactly', async () => {
  const id = randomUUID();
  const others = { MY_BATON_JOB: `${id}-1`, BATON_JOB_2: `${id}-2`, TEXT: `BATON_JOB=${id}-3` };
  orphan(id, 'exec sleep 300', others);
  await until('it to start', () => carriers(id).length === 1);
  expect((await idsOf()).filter((found) => found.startsWith(id))).toEqual([id]);
});

test.each([
  ['', undefined],
  ['A=1\0B=2\0', undefined],
  ['BATON_JOB=x\0A=1\0', 'x'],
  ['A=1\0BATON_JOB=a=b c\0', 'a=b c'],
  ['A=1\0BATON_JOB=cut off', 'cut off'],
  ['BATON_JOB=\0', undefined],
  ['A= BATON_JOB=x\0', undefined],
  ['A=\nBATON_JOB=x\0', undefined],
  ['XBATON_JOB=x\0BATON_JOBS=x\0', undefined],
  ['BATON_JOB=first\0BATON_JOB=second\0', 'first'],
])('the environment %j gives %j', (environ, id) => {
  expect(trackingIdIn(environ)).toBe(id);
});

test('of what ps says on macOS, only the environment counts', () => {
  const row = (pid: number, stat: string, rest: string) =>
    `  ${pid}   1   ${pid} ${stat}   ${rest}`;
  const plain = [
    row(1, 'Ss', '/sbin/launchd'),
    row(501, 'S', 'node worker.js'),
    row(502, 'S', 'grep BATON_JOB=x log'),
    row(503, 'Z', '(node)'),
    row(504, 'S', 'sleep 3'),
  ].join('\n');
  const withEnvironment = [
    row(1, 'Ss', '/sbin/launchd'),
    row(501, 'S', 'node worker.js PATH=/bin BATON_JOB=abc HOME=/Users/a'),
    row(502, 'S', 'grep BATON_JOB=x log PATH=/bin MY_BATON_JOB=no'),
    row(503, 'Z', '(node) BATON_JOB=zombie'),
    row(504, 'S', 'sleep 3'),
    row(505, 'S', 'new BATON_JOB=next-look'),
  ].join('\n');
  expect(trackedIn(plain, withEnvironment)).toEqual([
    { pid: 501, parent: 1, group: 501, trackingId: 'abc' },
  ]);
});

/** A shell catches TERM and USR1 once it has read its traps. */
function catchesSignals(pid: number): boolean {
  const caught = /SigCgt:\s*(\w+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  const bits = BigInt(`0x${caught ?? '0'}`);
  return [10n, 15n].every((signal) => (bits >> (signal - 1n)) & 1n);
}

test('all who carry one of the ids are ended, and nobody else', async () => {
  const [one, two, other] = [randomUUID(), randomUUID(), randomUUID()];
  orphan(one, 'trap "" TERM; sleep 300 & wait');
  orphan(two, 'setsid sleep 300 & wait');
  const bystander = orphan(other, 'exec sleep 300');
  await until('all to start', () => carriers(one).length === 2 && carriers(two).length === 2);
  expect(await endTracked(new Set([one, two]), 100)).toEqual({ ended: 4, left: 0 });
  expect([...carriers(one), ...carriers(two)]).toEqual([]);
  expect(isLiving(bystander)).toBe(true);
});

test('what a process starts to clean up is not disturbed', async () => {
  const id = randomUUID();
  const script = 'trap "sleep 0.3 && kill -USR1 $$" TERM; trap "exit 9" USR1; while :; do :; done';
  const child = spawn('sh', ['-c', script], { env: { ...environment, BATON_JOB: id } });
  onTestFinished(() => killAllOf(id));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await until('it to start', () => carriers(id).length === 1);
  await until('its traps', () => catchesSignals(carriers(id)[0] ?? 0));
  await endTracked(new Set([id]), 30_000);
  expect(await ended).toBe(9);
});

test('with nobody to end nothing happens', async () => {
  expect(await endTracked(new Set([randomUUID()]), 10_000)).toEqual({ ended: 0, left: 0 });
  expect(await endTracked(new Set(), 10_000)).toEqual({ ended: 0, left: 0 });
});

test('who forks from session to session while it is being ended does not escape', async () => {
  const id = randomUUID();
  orphan(id, 'trap "" TERM; while :; do setsid sh -c "sleep 300 & sleep 300" & sleep 0.005; done');
  await until('some', () => carriers(id).length > 20);
  const { ended, left } = await endTracked(new Set([id]), 20);
  expect(left).toBe(0);
  expect(ended).toBeGreaterThan(20);
  expect(carriers(id)).toEqual([]);
});

test('a recorded group is ended, with members that carry nothing and those who left', async () => {
  const id = randomUUID();
  const bare = '(trap "" TERM; exec env -i sleep 300) &';
  const pid = orphan(id, `${bare} setsid sleep 300 & sleep 300; exit`);
  const isBare = (member: number) => !carriers(id).includes(member);
  await until('the bare one to start', () => membersOf(pid).some(isBare));
  await until('all to start', () => carriers(id).length === 3);
  expect(membersOf(pid)).toHaveLength(3);
  const { left } = await endRecordedGroup({ pid, trackingId: id }, 50);
  expect(left).toBe(0);
  expect(carriers(id)).toEqual([]);
  expect(membersOf(pid)).toEqual([]);
});

test('a recorded group is ended after its leader has gone', async () => {
  const id = randomUUID();
  const pid = orphan(id, 'sleep 300 & exit');
  await until('the leader to go', () => !isLiving(pid) && carriers(id).length === 1);
  expect(await endRecordedGroup({ pid, trackingId: id }, 10_000)).toEqual({ ended: 1, left: 0 });
});

test('a group that somebody else has by now is left alone', async () => {
  const [id, other] = [randomUUID(), randomUUID()];
  const stranger = orphan(other, 'exec sleep 300');
  const away = orphan(id, 'exec sleep 300');
  await until('both to start', () => carriers(id).length + carriers(other).length === 2);
  expect(await endRecordedGroup({ pid: stranger, trackingId: id }, 0)).toEqual({
    ended: 1,
    left: 0,
  });
  expect(isLiving(stranger)).toBe(true);
  expect(isLiving(away)).toBe(false);
});

test('neither we nor everybody can be signalled', () => {
  for (const pid of [process.pid, 1, 0, -1, Number.NaN]) signalProcess(pid, 'SIGKILL');
  for (const group of [1, 0, -1, Number.NaN]) signalGroup(group, 'SIGKILL');
  expect(isLiving(process.pid)).toBe(true);
});

test('a job that is found after its worker has gone is the one that was started', async () => {
  const job = startJob('sleep', ['300']);
  expect(await findTracked()).toContainEqual({ pid: job.pid, trackingId: job.trackingId });
  await endTracked(new Set([job.trackingId]), 10_000);
  expect(await job.ended).toMatchObject({ signal: 'SIGTERM' });
});
