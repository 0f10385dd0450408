import type { Store } from '@baton/store';
import { sql } from 'kysely';

interface Lines {
  readonly kind: string;
  readonly lines: string | null;
}

const TABLES: Readonly<Record<string, string>> = {
  plans: 'id, state, after_plan, max_parallel, archived_from, note, started_at, ended_at, env',
  plan_jobs: 'plan_id, id, position, definition, env, outputs, stop, note, tries, failures',
  plan_attempts: 'id, number, trigger, state, pid, reason, message, is_reaped, ended_at',
  plan_tickets: 'ticket_id, ref, plan_id, job_id, attempt_id',
  fake_tickets: 'seq, ticket, state',
  work: 'seq, id, state, priority, open_needs, attempts, max_attempts, delayed_at, delay_ms',
  work_needs: 'work_id, needs_id',
  gates: 'grp, paused, max_running',
  leases: 'name, number, owner, beats',
  attempts: 'seq, work_id, number, what',
  events: 'seq, topic',
  idempotency: 'scope, key, result',
};

const everything = Object.entries(TABLES)
  .map(
    ([table, columns]) =>
      `select '${table}' as kind, group_concat(json_array(${columns}), char(10)) as lines from ${table}`,
  )
  .join(' union all ');

/** All that is in the store, to see whether anything has changed. */
export async function snapshot(store: Store): Promise<string> {
  const { rows } = await store.read(({ db }) => sql.raw<Lines>(everything).execute(db));
  return rows.map(({ kind, lines }) => `${kind}\n${lines ?? ''}`).join('\n');
}
