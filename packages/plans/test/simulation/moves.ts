import { ensure } from '@baton/testkit';
import { sql } from 'kysely';
import {
  canBecome,
  JOB_TRANSITIONS,
  type JobState,
  PLAN_TRANSITIONS,
  type PlanState,
} from '../under-test.ts';
import type { World } from './world.ts';

/** A job as its plan calls it, before a change of its work. */
const jobBefore = `case old.state when 'waiting' then 'pending' when 'running' then
  iif(exists (select 1 from plan_attempts where plan_id = old.grp and state = 'open'
    and plan_id || '/' || job_id = old.id and pid is not null), 'running', 'scheduled')
  when 'parked' then 'running' else old.state end`;
const jobAfter = `case new.state when 'waiting' then 'pending' when 'running' then 'scheduled'
  when 'parked' then 'running' else new.state end`;

const note = (kind: string, id: string, before: string, after: string) =>
  `begin insert into moves (kind, id, before, after) values ('${kind}', ${id}, ${before}, ${after}); end`;

/**
 * The database itself writes down every move, also those that a transaction makes on the way: a
 * look before and after it would miss them.
 */
export const MOVES = [
  'create table moves (seq integer primary key autoincrement, kind, id, before, after)',
  `create trigger plan_added after insert on plans ${note('plan', 'new.id', 'null', 'new.state')}`,
  `create trigger plan_moved after update of state on plans when old.state <> new.state
    ${note('plan', 'new.id', 'old.state', 'new.state')}`,
  `create trigger work_added after insert on work ${note('job', 'new.id', 'null', jobAfter)}`,
  `create trigger work_moved after update of state on work when old.state <> new.state
    ${note('job', 'new.id', jobBefore, jobAfter)}`,
  `create trigger process_started after update of pid on plan_attempts when old.pid is null
    ${note('job', "new.plan_id || '/' || new.job_id", "'scheduled'", "'running'")}`,
];

interface Move {
  readonly kind: 'plan' | 'job';
  readonly id: string;
  readonly before: string | null;
  readonly after: string;
}

/** Every move since the last look is one that the tables of states list. */
export async function ensureMoves(world: World): Promise<void> {
  const { rows } = await world.machine.store.read(({ db }) =>
    sql<Move>`select kind, id, before, after from moves where seq > ${world.moves.seen}
      order by seq`.execute(db),
  );
  world.moves.seen += rows.length;
  for (const move of rows) {
    if (move.kind === 'plan') ensurePlanMove(world, move);
    else ensureJobMove(world, move);
  }
}

function ensurePlanMove(world: World, { id, before, after }: Move): void {
  world.count(`plan ${after}`);
  ensure(before !== null || after === 'draft', `plan ${id} begins as ${after}`);
  if (before === null) return;
  const isListed = canBecome<PlanState>(PLAN_TRANSITIONS, before as PlanState, after as PlanState);
  ensure(isListed, `plan ${id} goes from ${before} to ${after}`);
  world.count(`plan ${before} → ${after}`);
}

function ensureJobMove({ moves, count }: World, { id, before, after }: Move): void {
  // Work that is taken away and added again, as by an edit, goes on from where it was.
  const last = moves.jobs.get(id) ?? 'pending';
  ensure(before === null || before === last, `${id} is ${before} and was ${last}`);
  moves.jobs.set(id, after);
  count(`job ${after}`);
  if (last === after) return;
  const isListed = canBecome<JobState>(JOB_TRANSITIONS, last as JobState, after as JobState);
  ensure(isListed, `job ${id} goes from ${last} to ${after}`);
  count(`job ${last} → ${after}`);
}

/** Every state and every way between two, as they are counted. */
export function allMoves(): string[] {
  return [...movesOf('plan', PLAN_TRANSITIONS), ...movesOf('job', JOB_TRANSITIONS)];
}

function movesOf(
  kind: string,
  transitions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>,
): string[] {
  const moves = Object.entries(transitions).flatMap(([before, ways]) =>
    Object.values(ways)
      .flat()
      .map((after) => `${kind} ${before} → ${after}`),
  );
  return [...new Set([...Object.keys(transitions).map((state) => `${kind} ${state}`), ...moves])];
}
