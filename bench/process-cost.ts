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

/** Resident memory in MB of a million bytes. */
export function readMemory(pid: number): number | undefined {
  if (!canReadProc) return undefined;
  const [, kibibytes] =
    /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kibibytes) * 1024) / 1e6;
}
