import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Store } from '@baton/store';

export interface RealProcess extends AsyncDisposable {
  readonly pid: number;
}

/** How a store would describe a process of this machine, taken while it lives. */
export function identityOf(store: Store, pid: number, other: Record<string, unknown> = {}): string {
  const self = JSON.parse(store.processes.self) as Record<string, unknown>;
  return JSON.stringify({ ...self, pid, started: startOf(pid) ?? self['started'], ...other });
}

/** The shells end with their input, so none outlives the test. */
export async function startProcess(): Promise<RealProcess & { end(): Promise<void> }> {
  const shell = spawn('sh', ['-c', 'echo $$; read line'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const pid = await firstNumber(shell);
  const end = () => endOf(shell);
  return { pid, end, [Symbol.asyncDispose]: end };
}

/** A process that has ended, but whose parent has not asked how. */
export async function startZombie(): Promise<RealProcess> {
  // The shell becomes a `cat`, which knows nothing of the child that it has inherited.
  const parent = spawn('sh', ['-c', 'sleep 600 > /dev/null & echo $!; exec cat'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: parent.stdout })[Symbol.asyncIterator]();
  const pid = Number((await lines.next()).value);
  parent.stdin.write('are you a cat?\n');
  await lines.next();
  process.kill(pid, 'SIGKILL');
  return { pid, [Symbol.asyncDispose]: () => endOf(parent) };
}

export function stateOf(pid: number): string | undefined {
  return statOf(pid)?.[0];
}

function startOf(pid: number): string | undefined {
  return statOf(pid)?.[19];
}

function statOf(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

async function firstNumber({ stdout }: ChildProcess): Promise<number> {
  if (!stdout) throw new Error('no output');
  const [line] = (await once(createInterface({ input: stdout }), 'line')) as [string];
  return Number(line);
}

async function endOf(child: ChildProcess): Promise<void> {
  const exited = child.exitCode === null && once(child, 'exit');
  child.stdin?.end();
  await exited;
}
