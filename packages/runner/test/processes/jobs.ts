import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type JobProcess, type ProcessCommand, startJobProcess } from '../processes-under-test.ts';

/** Long enough for a busy machine, shorter than the limit of a test, so that it says what. */
const PATIENCE_MS = 50_000;
const PAUSE_MS = 5;

export const environment = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };

export interface Job extends JobProcess {
  readonly trackingId: string;
  output(): string;
}

/** A job whose every process is gone when the test is over, even if it hangs. */
export function startJob(
  file: string,
  args: readonly string[] = [],
  options: Partial<ProcessCommand> & { leftoverGraceMs?: number } = {},
): Job {
  const { leftoverGraceMs = 500, ...command } = options;
  const trackingId = randomUUID();
  onTestFinished(() => killAllOf(trackingId));
  const chunks: Buffer[] = [];
  const onOutput = (chunk: Buffer) => {
    chunks.push(chunk);
    return undefined;
  };
  const job = startJobProcess(
    { file, args, cwd: tmpdir(), env: environment, ...command },
    { trackingId, leftoverGraceMs, onOutput },
  );
  return {
    ...job,
    trackingId,
    output: () => Buffer.concat(chunks).toString(),
  };
}

export function shell(script: string, options?: Parameters<typeof startJob>[2]): Job {
  return startJob('sh', ['-c', script], options);
}

export function killAllOf(trackingId: string): void {
  for (let pids = carriers(trackingId); pids.length > 0; pids = carriers(trackingId)) {
    for (const pid of pids) kill(pid);
  }
}

/** How often one of this id was among those who were started last: by many quick looks. */
export function sightings(trackingId: string, looks = 5_000): number {
  let seen = 0;
  for (let look = 0; look < looks; look++) {
    const last = Number(readFileSync('/proc/loadavg', 'utf8').split(' ').at(-1));
    if (read(last, 'environ').split('\0').includes(`BATON_JOB=${trackingId}`)) seen += 1;
  }
  return seen;
}

/** The living with this id in their environment, found without any code that is under test. */
export function carriers(trackingId: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(
      (pid) => pid > 1 && read(pid, 'environ').split('\0').includes(`BATON_JOB=${trackingId}`),
    );
}

/** The living members of a group. */
export function membersOf(group: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && isLiving(pid) && statOf(pid)?.[2] === String(group));
}

export function isLiving(pid: number): boolean {
  return !['Z', 'X', undefined].includes(statOf(pid)?.[0]);
}

/** State, parent, group, session … of a process. */
export function statOf(pid: number): string[] | undefined {
  const text = read(pid, 'stat');
  return text === '' ? undefined : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

export function kill(pid: number | undefined): void {
  // Zero would be everybody in our group.
  if (!pid) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It was faster.
  }
}

export async function until<Found>(what: string, find: () => Found | undefined | false) {
  const end = performance.now() + PATIENCE_MS;
  while (performance.now() < end) {
    const found = find();
    if (found) return found;
    await pause(PAUSE_MS);
  }
  throw new Error(`${what} did not happen`);
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
