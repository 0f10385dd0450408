import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isThere } from './process-signals.ts';
import type { TerminationResult } from './termination.ts';

const PAUSE_MS = 50;
const GIVE_UP_MS = 5_000;

/** Asks a process and all its descendants to end, or ends them. */
export async function signalTree(pid: number, how: 'ask' | 'force'): Promise<void> {
  // By its full path: the folder of a job may hold a taskkill of its own.
  const file = path.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  const args = ['/PID', String(pid), '/T', ...(how === 'force' ? ['/F'] : [])];
  await new Promise<void>((resolve) => {
    const taskkill = spawn(file, args, { stdio: 'ignore', windowsHide: true });
    // It fails if the process was faster, and for programs without a window unless forced.
    taskkill.once('error', () => resolve());
    taskkill.once('close', () => resolve());
    // Too few resources to start it are thrown, and must not end the worker.
  }).catch(() => {});
}

export async function endTree(pid: number, graceMs: number): Promise<TerminationResult> {
  if (!isThere(pid)) return { ended: 0, left: 0 };
  await signalTree(pid, 'ask');
  await untilGone(pid, graceMs);
  if (isThere(pid)) await signalTree(pid, 'force');
  await untilGone(pid, GIVE_UP_MS);
  return isThere(pid) ? { ended: 0, left: 1 } : { ended: 1, left: 0 };
}

async function untilGone(pid: number, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs;
  while (isThere(pid) && performance.now() < end) await pause(PAUSE_MS);
}
