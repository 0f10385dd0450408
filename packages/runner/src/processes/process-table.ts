import { allOnLinux, readStat, trackedOnLinux } from './linux-processes.ts';
import type { LivingProcess, TrackedMember } from './living-process.ts';
import { allOnMac, trackedOnMac } from './mac-processes.ts';
import { isThere } from './process-signals.ts';

const onMac = process.platform === 'darwin';
const onWindows = process.platform === 'win32';
const none = async () => [];

const lookAtAll = shared<LivingProcess>(onWindows ? none : onMac ? allOnMac : allOnLinux);
const lookAtTracked = shared<TrackedMember>(
  onWindows ? none : onMac ? trackedOnMac : trackedOnLinux,
);

/** Everybody else who carries a tracking id. */
export async function trackedNow(): Promise<TrackedMember[]> {
  const found = new Map((await lookAtTracked()).map((one) => [one.pid, one]));
  found.delete(process.pid);
  return [...found.values()];
}

export async function carriersOf(ids: ReadonlySet<string>): Promise<LivingProcess[]> {
  return (await trackedNow()).filter(({ trackingId }) => ids.has(trackingId));
}

export async function membersNow(group: number): Promise<LivingProcess[]> {
  return (await lookAtAll()).filter((found) => found.group === group);
}

/** Whether it still runs; where zombies cannot be told, one is taken for running. */
export async function isRunning(pid: number): Promise<boolean> {
  if (onMac || onWindows) return isThere(pid);
  return (await readStat(pid)) !== undefined;
}

export function distinct(found: readonly LivingProcess[]): LivingProcess[] {
  return [...new Map(found.map((one) => [one.pid, one])).values()];
}

/**
 * A hundred jobs that are stopped at once all want to look, and a look at a busy machine takes
 * some 50 ms: one at a time is taken, for all who asked before it began.
 */
function shared<Found>(look: () => Promise<readonly Found[]>): () => Promise<readonly Found[]> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<readonly Found[]> | undefined;
  return () => {
    if (!next) {
      const begin = () => {
        next = undefined;
        return look();
      };
      next = running.then(begin, begin);
      running = next;
    }
    return next;
  };
}
