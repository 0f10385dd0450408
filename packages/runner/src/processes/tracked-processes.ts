import type { LivingProcess } from './living-process.ts';
import { isGroupEmpty } from './process-signals.ts';
import { carriersOf, distinct, membersNow, trackedNow } from './process-table.ts';
import { Termination, type TerminationResult } from './termination.ts';
import { endTree } from './windows-tree.ts';

export interface TrackedProcess {
  readonly pid: number;
  readonly trackingId: string;
}

/**
 * The living processes that carry a tracking id and that this user may look into. One look: who
 * is being started at that very moment shows no environment and is missing.
 */
export async function findTracked(): Promise<TrackedProcess[]> {
  return (await trackedNow()).map(({ pid, trackingId }) => ({ pid, trackingId }));
}

/** TERM, after the grace KILL, to all who carry one of the ids, until none is left or it is hopeless. */
export function endTracked(ids: ReadonlySet<string>, graceMs: number): Promise<TerminationResult> {
  const killAt = performance.now() + graceMs;
  return new Termination(() => carriersOf(ids)).untilGone(() => killAt);
}

/**
 * The same for the group of a job that another process started and recorded. By now its number
 * may belong to somebody else: the group is ended only if one of its members carries the id. On
 * Windows nothing tells one owner of a number from the next.
 */
export async function endRecordedGroup(
  { pid: group, trackingId }: TrackedProcess,
  graceMs: number,
): Promise<TerminationResult> {
  if (process.platform === 'win32') return endTree(group, graceMs);
  const ids = new Set([trackingId]);
  // A signal to our own group would end us.
  if ((await membersNow(group)).some(({ pid }) => pid === process.pid)) {
    return endTracked(ids, graceMs);
  }
  const killAt = performance.now() + graceMs;
  return new Termination(findJob(group, ids), group).untilGone(() => killAt);
}

function findJob(group: number, ids: ReadonlySet<string>): () => Promise<LivingProcess[]> {
  const known = new Set<number>();
  return async () => {
    const members = isGroupEmpty(group) ? [] : await membersNow(group);
    // Last, as the quick ones among them have to be signalled at once.
    const carriers = await carriersOf(ids);
    const isOurs = carriers.some((carrier) => carrier.group === group);
    // Members that do not carry the id stay ours when the one who proved it is gone.
    for (const { pid } of isOurs ? members : []) known.add(pid);
    return distinct([...members.filter(({ pid }) => known.has(pid)), ...carriers]);
  };
}
