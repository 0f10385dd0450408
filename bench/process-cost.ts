import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** macOS and Windows have no /proc: there only the clock on the wall is left. */
export const canReadProc = existsSync('/proc/self/schedstat');

/** CPU milliseconds of all threads since the start; /proc/<pid>/stat counts in steps of 10 ms. */
export function readCpu(pid: number): number | undefined {
  if (!canReadProc) return undefined;
  let nanoseconds = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const [running] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ');
    nanoseconds += Number(running);
  }
  return nanoseconds / 1e6;
}

const TICK_MS = 10;

/** The same with all processes that it has started and seen end, in steps of 10 ms. */
export function readFamilyCpu(pid: number): number | undefined {
  if (!canReadProc) return undefined;
  // Its name may have spaces and brackets in it; what comes after the last one are numbers.
  const [, numbers = ''] = /\) (.+)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  const ticks = numbers.split(' ').slice(11, 15).map(Number);
  return ticks.reduce((sum, each) => sum + each, 0) * TICK_MS;
}

/** Resident memory in MB of a million bytes. */
export function readMemory(pid: number): number | undefined {
  if (!canReadProc) return undefined;
  const [, kibibytes] =
    /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kibibytes) * 1024) / 1e6;
}
