import type { Stdout } from './io.ts';

/**
 * Tells why nobody waits for answers any more. Asked while the last calls finish: a client that has
 * died must not leave a process behind that works on for half a minute.
 */
export function watchForAbandonment(stdout: Stdout): () => string | undefined {
  const parent = process.ppid;
  return () => {
    if (stdout.isGone?.()) return 'output closed';
    return isRunning(parent) ? undefined : 'the program that started Baton has ended';
  };
}

/** A process whose parent ends gets another one, except on Windows. */
function isRunning(parent: number): boolean {
  if (process.platform !== 'win32') return process.ppid === parent;
  try {
    process.kill(parent, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
