import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { announce } from './announce.ts';
import { defineQuery } from './query.ts';
import type { GateTable, StoreTables, WorkTable } from './tables.ts';
import type { Transaction } from './transaction.ts';

/** Some of the work: by workspace, queue and group; what is left out stands for any. */
export interface Scope {
  readonly workspace?: string;
  readonly queue?: string;
  readonly group?: string;
}

/** What may be claimed in a scope. Each gate over a piece of work must let it through. */
export interface Gate {
  readonly isPaused?: boolean;
  /** At most so many run at once; without it, any number. */
  readonly maxRunning?: number;
}

const COLUMNS = ['workspace', 'queue', 'grp'] as const;

export async function setGate(tx: Transaction, scope: Scope, gate: Gate): Promise<void> {
  const { workspace = '', queue = '', group = '' } = scope;
  const row = {
    workspace,
    queue,
    grp: group,
    paused: gate.isPaused ? 1 : 0,
    max_running: gate.maxRunning ?? null,
  };
  await tx.db
    .insertInto('gates')
    .values(row)
    .onConflict((conflict) => conflict.columns(COLUMNS).doUpdateSet(row))
    .execute();
  await announceReady(tx, row);
}

/** The work of the scope is no longer held back by a gate of its own. */
export async function removeGate(tx: Transaction, scope: Scope): Promise<void> {
  const { workspace = '', queue = '', group = '' } = scope;
  await tx.db
    .deleteFrom('gates')
    .where('workspace', '=', workspace)
    .where('queue', '=', queue)
    .where('grp', '=', group)
    .execute();
  const gate = { workspace, queue, grp: group, paused: 0, max_running: null };
  await announceReady(tx, gate);
}

/** What was held back may be let through now. */
async function announceReady(tx: Transaction, gate: GateTable): Promise<void> {
  const ready = within(gate, tx.db.selectFrom('work').where('state', '=', 'ready'));
  announce(tx, await ready.select(['workspace', 'queue']).distinct().execute());
}

const gatesOver = defineQuery((db, { queue }: { queue: string }) =>
  db.selectFrom('gates').selectAll().where('queue', 'in', ['', queue]),
);

const gatesOverGroup = defineQuery((db, { queue, group }: { queue: string; group: string }) =>
  db
    .selectFrom('gates')
    .selectAll()
    .where('queue', 'in', ['', queue])
    .where('grp', 'in', ['', group]),
);

interface Room {
  /** They let nothing through now. */
  readonly closed: readonly GateTable[];
  /** So much passes each of the others. */
  readonly places: number;
}

/**
 * What the gates of a queue let through now. What runs is counted within the transaction that
 * claims: so places are taken, not guessed.
 */
export async function roomIn(tx: Transaction, queue: string, group?: string): Promise<Room> {
  const closed: GateTable[] = [];
  let places = Number.POSITIVE_INFINITY;
  const gates =
    group === undefined
      ? await gatesOver(tx, { queue })
      : await gatesOverGroup(tx, { queue, group });
  for (const gate of gates) {
    const free = gate.paused === 1 ? 0 : await placesAt(tx, gate);
    if (free <= 0) closed.push(gate);
    else places = Math.min(places, free);
  }
  return { closed, places };
}

async function placesAt(tx: Transaction, gate: GateTable): Promise<number> {
  if (gate.max_running === null) return Number.POSITIVE_INFINITY;
  const [row] = await countRunning(gate)(tx, gate);
  return gate.max_running - Number(row?.count);
}

/** One query for each kind of scope, compiled once. */
const counts = new Map<
  string,
  (tx: Transaction, gate: GateTable) => Promise<{ count: number }[]>
>();

function countRunning(gate: GateTable) {
  const columns = columnsOf(gate);
  const kind = columns.join();
  const known = counts.get(kind);
  if (known) return known;
  const count = defineQuery((db, given: GateTable) =>
    columns
      .reduce(
        (running, column) => running.where(column, '=', given[column]),
        db.selectFrom('work').where('state', '=', 'running'),
      )
      .select(({ fn }) => fn.countAll<number>().as('count')),
  );
  counts.set(kind, count);
  return count;
}

/** Those that narrow it. */
function columnsOf(gate: GateTable) {
  return COLUMNS.filter((column) => gate[column] !== '');
}

function within<Row>(gate: GateTable, work: SelectQueryBuilder<StoreTables, 'work', Row>) {
  return columnsOf(gate).reduce(
    (narrowed, column) => narrowed.where(column, '=', gate[column]),
    work,
  );
}

/** True for work that the gate has nothing to do with. */
export function outside(gate: GateTable): Expression<SqlBool> {
  const columns = columnsOf(gate);
  if (columns.length === 0) return sql<SqlBool>`1 = 0`;
  const differs = columns.map(
    (column) => sql`${sql.ref<WorkTable['grp']>(column)} <> ${gate[column]}`,
  );
  return sql<SqlBool>`(${sql.join(differs, sql` or `)})`;
}
