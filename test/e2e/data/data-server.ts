import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type FileWorkspace, fileWorkspace } from '../file-workspace.ts';
import { PlanServer, type Result } from '../plans/plan-server.ts';

export const DATA = '.baton/data';
const MIB = 1024 * 1024;
/** What a server may have had at most, and what the engine beside it. */
export const MOST_RESIDENT = 300 * MIB;
export const MOST_OF_ENGINE = 1700 * MIB;

/** A server over stdio, with words for data. */
export class DataServer extends PlanServer {
  async ids(): Promise<string[]> {
    const { categories } = await this.call('data_describe');
    return categories.map(({ id }: { id: string }) => id);
  }

  /** The values of the first column. */
  async values(sql: string): Promise<unknown[]> {
    const { rows } = await this.call('data_query', { sql });
    return rows.map(([value]: readonly unknown[]) => value);
  }

  /** What a call is refused with: the code, or `none`. */
  async code(name: string, args: object): Promise<string> {
    const { result, error } = await this.request('tools/call', { name, arguments: args });
    if (error) return String(error.code);
    return result.isError ? result.structuredContent.code : 'none';
  }

  /** The whole result of a call, failed or not. */
  async result(name: string, args: object = {}): Promise<Result> {
    return (await this.request('tools/call', { name, arguments: args })).result;
  }

  /** The processes that run the engine for it. */
  engines(): number[] {
    return childrenOf(this.pid);
  }
}

export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) => childrenOfThread(pid, task));
}

function childrenOfThread(pid: number, task: string): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return []; // The thread has ended.
  }
}

/** The most memory that a process has had so far. */
export function mostResident(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** The most memory that engines of a server have had while something is under way. */
export async function peakOf(server: DataServer, work: Promise<unknown>): Promise<number> {
  let peak = 0;
  const timer = setInterval(() => {
    for (const pid of server.engines()) {
      try {
        peak = Math.max(peak, mostResident(pid) || 0);
      } catch {
        // It has just ended.
      }
    }
  }, 10);
  await work.finally(() => clearInterval(timer));
  return peak;
}

export function dataServer(
  workspace: FileWorkspace,
  env: Readonly<Record<string, string>> = {},
): DataServer {
  return new DataServer(workspace.server(env));
}

/** A workspace with these files in its folder of data. */
export function dataWorkspace(files: Readonly<Record<string, string>> = {}): FileWorkspace {
  const named = Object.entries(files).map(([name, text]) => [path.posix.join(DATA, name), text]);
  return fileWorkspace(Object.fromEntries(named));
}

/** What `baton data check` tells, line by line. */
export async function checked(workspace: FileWorkspace): Promise<string[]> {
  const { stdout, stderr } = await workspace.baton('data', 'check');
  return `${stdout}${stderr}`.split('\n');
}
