import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const TIMEOUT_MS = 5000;

/** How the physical memory of a process is read, in KiB; nothing if it cannot be. */
interface MemoryReader {
  /** Between two readings: elsewhere than on Linux each of them starts a process. */
  readonly pauseMs: number;
  read(pid: number): Promise<string | undefined>;
}

const LINUX: MemoryReader = {
  pauseMs: 50,
  read: async (pid) =>
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1],
};

const MAC: MemoryReader = {
  pauseMs: 500,
  read: (pid) => output('/bin/ps', ['-o', 'rss=', '-p', `${pid}`]),
};

const WINDOWS: MemoryReader = {
  pauseMs: 2000,
  read: async (pid) => {
    const system = path.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32');
    const args = ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'];
    const row = await output(path.join(system, 'tasklist.exe'), args);
    // "node.exe","4711","Console","1","1,234,567 K": which separators depends on the language.
    return row.split('","')[4]?.replace(/\D/g, '');
  },
};

const READERS: Partial<Record<NodeJS.Platform, MemoryReader>> = { darwin: MAC, win32: WINDOWS };

/** Calls back when a process has taken more memory than it may, until it is ended. */
export function watchMemory(pid: number, maxBytes: number, exceeded: () => void): () => void {
  const { pauseMs, read } = READERS[process.platform] ?? LINUX;
  let isReading = false;
  const look = async () => {
    if (isReading) return;
    isReading = true;
    // A process that has ended, or that we may not look at, still watches itself.
    const kibibytes = await read(pid).catch(() => undefined);
    isReading = false;
    if (Number(kibibytes) * 1024 > maxBytes) exceeded();
  };
  const timer = setInterval(() => void look(), pauseMs);
  return () => clearInterval(timer);
}

async function output(file: string, args: readonly string[]): Promise<string> {
  const options = { timeout: TIMEOUT_MS, windowsHide: true };
  return (await promisify(execFile)(file, args, options)).stdout;
}
