import type { Reading, Transaction } from '@baton/store';
import type { Selectable } from 'kysely';
import type { Claimed } from './claiming.ts';
import { announcePlan, tables } from './plan-repository.ts';
import type { StepTable } from './tables.ts';

export type StepRow = Selectable<StepTable>;
export type Step = Omit<StepRow, 'attempt_id' | 'started_at' | 'ended_at'> & {
  /** Since when and until when, by the clock of the one who ran it. */
  readonly startedAt: number;
  readonly endedAt: number | null;
};

/** Writes down how far an attempt is; a step that is known gets its new state. */
export async function saveSteps(
  tx: Transaction,
  { attempt, plan }: Pick<Claimed, 'attempt' | 'plan'>,
  steps: readonly Step[],
): Promise<void> {
  for (const { startedAt, endedAt, ...step } of steps) {
    const row = { ...step, started_at: startedAt, ended_at: endedAt };
    await tables(tx)
      .insertInto('plan_steps')
      .values({ ...row, attempt_id: attempt.id })
      .onConflict((conflict) => conflict.columns(['attempt_id', 'position']).doUpdateSet(row))
      .execute();
  }
  announcePlan(tx, plan);
}

/** Nobody writes down any more how the step ended that an attempt was in. */
export async function endSteps(tx: Transaction, attemptId: string, message: string): Promise<void> {
  await tables(tx)
    .updateTable('plan_steps')
    .set({ state: 'failed', message, ended_at: tx.now })
    .where('attempt_id', '=', attemptId)
    .where('ended_at', 'is', null)
    .execute();
}

/** The step after all others of an attempt, which is over. */
export async function addCleanUp(
  tx: Transaction,
  attemptId: string,
  startedAt: number,
  note: string,
): Promise<void> {
  const last = (await stepsOf(tx, attemptId)).at(-1);
  if (!last) return;
  const end = last.log_to ?? last.log_from;
  await tables(tx)
    .insertInto('plan_steps')
    .values({
      ...EMPTY,
      ...(note && { detail: JSON.stringify({ note }) }),
      attempt_id: attemptId,
      position: last.position + 1,
      phase: 'clean-up',
      state: 'succeeded',
      log_from: end,
      log_to: end,
      started_at: startedAt,
      ended_at: Math.max(startedAt, tx.now),
    })
    .execute();
}

const EMPTY = {
  command: '',
  message: '',
  exit_code: null,
  commit_id: null,
  digest: null,
  detail: '{}',
} as const;

export function stepsOf(tx: Reading, attemptId: string): Promise<StepRow[]> {
  return tables(tx)
    .selectFrom('plan_steps')
    .selectAll()
    .where('attempt_id', '=', attemptId)
    .orderBy('position')
    .execute();
}
