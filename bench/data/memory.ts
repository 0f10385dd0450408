import { readdirSync, readFileSync } from 'node:fs';
import { canReadProc, readMemory } from '../process-cost.ts';

export interface Memory {
  readonly now: number;
  readonly peak: number;
}

/** Resident memory in MB of a million bytes, and the most that it has been. */
export function memoryOf(pid: number): Memory | undefined {
  const now = readMemory(pid);
  if (now === undefined) return undefined;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB/m.exec(status) ?? [];
  return { now, peak: (Number(kibibytes) * 1024) / 1e6 };
}

interface Pids {
  readonly server: number;
  readonly engine: number;
}

/** The server that this process runs, and the engine that it runs. */
export function pidsOf(program: string): Pids | undefined {
  if (!canReadProc) return undefined;
  const [server] = childrenOf(process.pid).filter((pid) => commandOf(pid).includes(program));
  const [engine] = server === undefined ? [] : childrenOf(server);
  if (server === undefined || engine === undefined) throw new Error('there is no engine');
  return { server, engine };
}

export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
}
