import { BatonError, escapeLine } from '@baton/core';
import { type ControlOptions, controlPlan, type Outcome } from './controlling.ts';
import { findPlan, type Plan } from './plan-repository.ts';
import type { PlanPorts } from './ports.ts';
import type { WorktreeRow } from './worktrees.ts';

/** A plan may have thousands of worktrees, and looking at each starts processes. */
const MAX_AT_ONCE = 8;

/** What people had done in a worktree of a job that is removed now. */
export interface SavedWork {
  readonly job: string;
  readonly ref: string;
}

export interface SafelyControlled {
  readonly plan: Plan;
  readonly removedLogs: readonly string[];
  readonly saved: readonly SavedWork[];
}

/**
 * Does an action once the work of people in all worktrees that it gives up is saved. Which these are
 * only the action itself knows: it is done, taken back where something has to be saved first, which
 * takes longer than anybody may hold the store, and then done again.
 */
export async function controlSafely(
  ports: PlanPorts,
  id: string,
  options: ControlOptions,
): Promise<SafelyControlled> {
  const { store, workspace } = ports;
  const seen = new Map<string, SavedWork | undefined>();
  for (;;) {
    const outcome: Outcome = { logs: [], worktrees: [] };
    const unsaved = () => outcome.worktrees.filter((row) => !seen.has(row.attempt_id));
    try {
      const plan = await store.write('durable', async (tx) => {
        outcome.logs.length = 0;
        outcome.worktrees.length = 0;
        const given = await findPlan(tx, workspace, id);
        const controlled = await controlPlan(tx, given, options, ports, outcome);
        if (unsaved().length > 0) throw new UnsavedWork();
        return controlled;
      });
      const saved = [...seen.values()].filter((each) => each !== undefined);
      return { plan, removedLogs: outcome.logs, saved };
    } catch (error) {
      if (!(error instanceof UnsavedWork)) throw error;
      const open = unsaved();
      while (open.length > 0) {
        const some = open.splice(0, MAX_AT_ONCE);
        const saved = await Promise.all(some.map((row) => save(ports, row)));
        for (const [index, { attempt_id }] of some.entries()) seen.set(attempt_id, saved[index]);
      }
    }
  }
}

class UnsavedWork extends Error {}

async function save({ repositories }: PlanPorts, row: WorktreeRow): Promise<SavedWork | undefined> {
  const ref = await repositories.saveWork(row).catch((error: unknown) => {
    throw notSaved(row, error);
  });
  return ref === undefined ? undefined : { job: row.job_id, ref };
}

function notSaved({ job_id, path }: WorktreeRow, cause: unknown): unknown {
  const reason = reasonOf(cause);
  if (!reason) return cause;
  return new BatonError(
    'work_not_saved',
    `What is in the kept worktree of job ${job_id}, ${path}, cannot be saved: ${reason.message} Nothing was changed.`,
    `${reason.next} Or go on in it: retry ${job_id} with \`from\`. Or remove the folder, if nothing in it is needed.`,
    { cause },
  );
}

/** What people can do something about; anything else is a fault of ours. */
function reasonOf(cause: unknown): { readonly message: string; readonly next: string } | undefined {
  if (cause instanceof BatonError) return cause;
  // The system refused, as a full or read-only disk does.
  if (!(cause instanceof Error && 'syscall' in cause)) return undefined;
  return { message: `${escapeLine(cause.message)}.`, next: 'Put that right and try again.' };
}
