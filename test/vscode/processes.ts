import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
}

export function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

/** The running processes with this text in their environment, which children inherit. */
export function processesWith(environment: string): RunningProcess[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid && read(pid, 'environ').includes(environment))
    .map((pid) => ({ pid, command: read(pid, 'cmdline').replaceAll('\0', ' ').trim() }));
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // It has ended meanwhile, or belongs to someone else.
  }
}
