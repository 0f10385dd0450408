import type { Store } from '@baton/store';
import { sql } from 'kysely';

interface Row {
  readonly kind: 'plan' | 'job' | 'attempt' | 'gate' | 'ticket' | 'waited for';
  readonly line: string;
  /** What is looked at apart. */
  readonly more: string;
}

/** Written by hand: the product's own way of reading may be wrong too. */
const ALL = `
select 'plan' as kind, '' as more, format('%s %s %s %d %s %d %d', id, state,
  coalesce(after_plan, 'null'), max_parallel, coalesce(archived_from, 'null'),
  started_at is not null, ended_at is not null) as line from plans
union all
select 'job', '', format('%s/%s %s %s %s [%s] %s %s %s %d %s %s', plan_jobs.plan_id, plan_jobs.id,
  case work.state when 'waiting' then 'pending' when 'running' then
      iif(plan_attempts.pid is null, 'scheduled', 'running') when 'parked' then 'running'
    else coalesce(work.state, 'pending') end,
  definition ->> '$.work.type',
  coalesce(definition ->> '$.work.command', definition ->> '$.work.title'),
  (select group_concat(value, ',') from json_each(definition, '$.needs')),
  definition ->> '$.retry', outputs, coalesce(stop, 'null'), tries,
  iif(work.state in ('succeeded', 'failed', 'cancelled'), '- - -',
    format('%d %d %d', failures, coalesce(work.attempts, 0), coalesce(work.delay_ms, 0))),
  coalesce(leases.owner, 'null'))
from plan_jobs left join work on work.id = plan_jobs.plan_id || '/' || plan_jobs.id
  left join leases on leases.name = 'work/' || work.id
  left join plan_attempts on plan_attempts.plan_id = plan_jobs.plan_id
    and plan_attempts.job_id = plan_jobs.id and plan_attempts.number = plan_jobs.tries
union all
select 'attempt', trigger, format('%s/%s %d %s %s %s %d %d', plan_id, job_id, number, id, state,
  coalesce(reason, 'null'), pid is not null, is_reaped) from plan_attempts
union all
select 'gate', grp, format('%s %s', iif(paused, 'paused', 'open'), coalesce(max_running, 'null'))
from gates where grp <> ''
union all
select 'ticket', '', format('%s %s/%s %s', ticket_id, plan_id, job_id, attempt_id) from plan_tickets
union all
select 'waited for', '', 'ticket-' || seq from fake_tickets where state = 'open'`;

/** What the tables say, in the words of the model. */
export async function readReal(store: Store) {
  const { rows } = await store.read(({ db }) => sql.raw<Row>(ALL).execute(db));
  const of = (kind: Row['kind']) => rows.filter((row) => row.kind === kind);
  return {
    plans: of('plan').map(({ line }) => line),
    jobs: of('job').map(({ line }) => line),
    /** Each with what has triggered it. */
    attempts: new Map(of('attempt').map(({ line, more }) => [line, more])),
    tickets: of('ticket').map(({ line }) => line),
    /** Also those that nobody knows. */
    waitedFor: of('waited for').map(({ line }) => line),
    gates: new Map(of('gate').map(({ more, line }) => [more, line])),
  };
}
