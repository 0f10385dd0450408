import { BatonError } from '@baton/core';
import type { Reading } from '@baton/store';
import { sql } from 'kysely';
import { refOf } from './definition.ts';
import { type Ticket, tables } from './ticket-repository.ts';

type Node = Pick<Ticket, 'id' | 'number'>;

/** `from` is about to wait for `to`. A ticket waits for what it needs and for its parts. */
export async function assertNoCircle(tx: Reading, from: Node, to: Node): Promise<void> {
  if (from.id !== to.id && !(await waitsFor(tx, to.id, from.id))) return;
  const path = from.id === to.id ? [from, to] : [from, ...(await pathBetween(tx, to, from))];
  throw new BatonError(
    'needs_circle',
    `That would be a circle, in which each waits for the next: ${path.map(refOf).join(' → ')}. Nothing was changed.`,
    'Leave one of these needs or parts out.',
  );
}

async function waitsFor(tx: Reading, id: string, other: string): Promise<boolean> {
  const { rows } = await sql`
    with recursive awaited (id) as (
      values (${id})
      union
      select ticket_links.to_id from awaited
      join ticket_links on ticket_links.from_id = awaited.id and ticket_links.type = 'needs'
      union
      select tickets.id from awaited join tickets on tickets.parent_id = awaited.id
    )
    select 1 from awaited where id = ${other} limit 1`.execute(tx.db);
  return rows.length > 0;
}

/** The shortest way, for people; it is known that there is one. */
async function pathBetween(tx: Reading, start: Node, end: Node): Promise<Node[]> {
  const before = new Map<string, Node>();
  for (let level: Node[] = [start]; level.length > 0; ) {
    const next: Node[] = [];
    for (const node of level) {
      for (const awaited of await awaitedBy(tx, node.id)) {
        if (before.has(awaited.id)) continue;
        before.set(awaited.id, node);
        next.push(awaited);
      }
    }
    if (before.has(end.id)) break;
    level = next;
  }
  const path = [end];
  for (let node = before.get(end.id); node; node = before.get(node.id)) {
    path.unshift(node);
    if (node.id === start.id) break;
  }
  return path;
}

async function awaitedBy(tx: Reading, id: string): Promise<Node[]> {
  const needs = tables(tx)
    .selectFrom('ticket_links')
    .innerJoin('tickets', 'tickets.id', 'ticket_links.to_id')
    .select(['tickets.id', 'tickets.number'])
    .where('ticket_links.from_id', '=', id)
    .where('ticket_links.type', '=', 'needs');
  const parts = tables(tx)
    .selectFrom('tickets')
    .select(['id', 'number'])
    .where('parent_id', '=', id);
  return needs.union(parts).execute();
}
