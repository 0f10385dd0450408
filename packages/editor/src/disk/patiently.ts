import { setTimeout as after } from 'node:timers/promises';

const DELAYS_MS = [5, 20, 50, 100, 200];
const IN_USE = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** On Windows, what somebody has opened can be replaced only when it is closed: mostly soon. */
export async function patiently<Result>(
  work: () => Result,
  delays: readonly number[] = process.platform === 'win32' ? DELAYS_MS : [],
): Promise<Result> {
  for (const delay of delays) {
    try {
      return work();
    } catch (error) {
      if (!IN_USE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
    await after(delay);
  }
  return work();
}
