import { type Pruning, removeGroup, type Transaction } from '@baton/store';
import { leaveFollowers } from './lifecycle.ts';
import { PLANS_TOPIC, type Plan, QUEUE, tables } from './plan-repository.ts';
import { dropWorktrees } from './worktrees.ts';

/** Everything that is known of a plan at rest, but for the output of its jobs. */
export async function removePlan(tx: Transaction, plan: Plan): Promise<void> {
  await leaveFollowers(tx, plan);
  await removeGroup(tx, QUEUE, plan.id);
  await dropWorktrees(tx, plan, { refs: true });
  await tables(tx).deleteFrom('plan_tickets').where('plan_id', '=', plan.id).execute();
  await tables(tx).deleteFrom('plan_attempts').where('plan_id', '=', plan.id).execute();
  await tables(tx).deleteFrom('plan_jobs').where('plan_id', '=', plan.id).execute();
  await tables(tx).deleteFrom('plans').where('id', '=', plan.id).execute();
  tx.emit(plan.workspace, PLANS_TOPIC);
}

/**
 * A plan that ended long ago. The output of its jobs is kept for a shorter time. Worktrees that people
 * may have worked in go first: their plan stays known until what is in them is saved.
 */
export const prunePlans: Pruning = async (tx, before) => {
  const plan = await oldPlan(tx, before, 'with kept worktrees');
  if (plan) {
    await dropWorktrees(tx, plan, { refs: false });
    return 1;
  }
  const spent = await oldPlan(tx, before, 'without');
  if (!spent) return 0;
  await removePlan(tx, spent);
  return 1;
};

function oldPlan(tx: Transaction, before: number, which: 'with kept worktrees' | 'without') {
  return (
    tables(tx)
      .selectFrom('plans')
      .selectAll()
      .where('ended_at', '<', before)
      // What nobody knows of any more, nobody could end.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('plan_attempts')
              .select('id')
              .whereRef('plan_id', '=', 'plans.id')
              .where('is_reaped', '=', 0),
          ),
        ),
      )
      .where(({ not, exists, selectFrom }) => {
        const kept = selectFrom('plan_worktrees')
          .select('attempt_id')
          .whereRef('plan_id', '=', 'plans.id')
          .where('kept_state', 'is not', null);
        return which === 'without'
          ? not(exists(kept))
          : exists(kept.where('state', '!=', 'leaving'));
      })
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst()
  );
}
