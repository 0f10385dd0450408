import type { Reading } from '@baton/store';
import { type Job, tables } from '../plan-repository.ts';

/** What people call the tickets that jobs wait or waited for. Most plans have none to ask for. */
export async function ticketRefs(
  tx: Reading,
  planId: string,
  jobs: readonly Job[],
): Promise<(job: Job) => { ticket?: string }> {
  const hasTickets = jobs.some(({ definition }) => definition.work.type === 'ticket');
  const rows = hasTickets ? await refsOf(tx, planId) : [];
  const refs = new Map(rows.map(({ attempt_id, ref }) => [attempt_id, ref]));
  return ({ attempt }) => {
    const ticket = attempt && refs.get(attempt.id);
    return ticket === undefined ? {} : { ticket };
  };
}

function refsOf(tx: Reading, planId: string) {
  return tables(tx)
    .selectFrom('plan_tickets')
    .select(['attempt_id', 'ref'])
    .where('plan_id', '=', planId)
    .execute();
}
