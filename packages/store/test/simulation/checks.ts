import { ensure } from '@baton/testkit';
import { sql } from 'kysely';
import type { World } from './world.ts';

interface Row {
  readonly id: string;
  readonly state: string;
  readonly attempts: number;
  readonly open_needs: number;
  readonly number: number | null;
  readonly owner: string | null;
}

/** The store says what the model says. */
export async function ensureSameState(world: World): Promise<void> {
  const { model, machine } = world;
  const { rows } = await machine.store.read(({ db }) =>
    sql<Row>`select work.id, state, attempts, open_needs, number, owner
      from work left join leases on name = 'work/' || work.id order by seq`.execute(db),
  );
  const jobs = [...model.jobs.values()];
  const real = rows.map(
    (row) =>
      `${row.id} ${row.state} ${row.attempts} ${row.open_needs} ${row.number ?? 0} ${row.owner}`,
  );
  const right = jobs.map(
    (job) =>
      `${job.what.id} ${model.stateOf(job)} ${job.attempts} ${model.openNeedsOf(job)} ${job.number} ${job.holder ?? null}`,
  );
  ensureEqual(real, right, 'id, state, attempts, open needs, number, owner');
}

/** Whoever waits for a queue has been told of everything that has become ready in it. */
export async function ensureTold(world: World): Promise<void> {
  const { model, machine, told } = world;
  const { rows } = await machine.store.read(({ db }) =>
    sql<{ seq: number; place: string }>`select seq, workspace || ' ' || topic as place
      from events where seq > ${told.cursor}`.execute(db),
  );
  const places = new Set(rows.map(({ place }) => place));
  const ready = [...model.jobs.values()].filter((job) => model.stateOf(job) === 'ready');
  for (const { what } of ready) {
    const isTold = told.ready.has(what.id) || places.has(`${what.workspace} queue/${what.queue}`);
    ensure(isTold, `${what.id} is ready and nobody is told`);
  }
  told.ready = new Set(ready.map(({ what }) => what.id));
  told.cursor = rows.at(-1)?.seq ?? told.cursor;
}

/** What was ever tried, and what was written on behalf of claims. */
export async function ensureSameHistory({ model, machine }: World): Promise<void> {
  const { attempts, written } = await machine.store.read(async ({ db }) => ({
    attempts: await sql<{ work_id: string; what: string; number: number }>`
      select work_id, what, number from attempts order by seq`.execute(db),
    written: await sql<{ line: string }>`
      select substr(name, 10) || ' ' || value as line from meta
      where name like 'progress/%'`.execute(db),
  }));
  const jobs = [...model.jobs.values()];
  for (const { what, history } of jobs) {
    const own = attempts.rows.filter(({ work_id }) => work_id === what.id);
    const real = own.map((attempt) => `${attempt.what} ${attempt.number}`);
    ensureEqual(real, history, `the history of ${what.id}`);
  }
  const right = jobs.filter(({ progress }) => progress !== undefined);
  ensureEqual(
    written.rows.map(({ line }) => line).sort(),
    right.map(({ what, progress }) => `${what.id} ${progress}`).sort(),
    'what was written',
  );
}

function ensureEqual(real: readonly string[], right: readonly string[], what: string): void {
  const found = real.join('\n  ');
  const expected = right.join('\n  ');
  ensure(found === expected, `${what}:\n  ${found}\nshould be:\n  ${expected}`);
}
