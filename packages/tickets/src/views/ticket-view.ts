import { type CheckDefinition, commandText, truncate } from '@baton/core';
import type { Reading } from '@baton/store';
import { historyAfter } from '../act.ts';
import { silence } from '../claiming.ts';
import { refOf } from '../definition.ts';
import type { Evidence } from '../ports.ts';
import { openNeeds } from '../readiness.ts';
import { isHeld } from '../states.ts';
import { selectBackLinks, selectFamily, selectLinks, selectNotes } from '../ticket-queries.ts';
import { labelsOf, labelsOfAll, type Ticket, tables } from '../ticket-repository.ts';
import { describeHistory } from './history.ts';

/** An answer should stay below 10 kB; what is longer can be read as a resource. */
const LONGEST_BODY = 5000;
const SHOWN_NOTES = 5;
const SHOWN_NEEDS = 5;
const SHOWN_LINKS = 50;
const LONGEST_NOTE = 500;

/** A ticket in one line of a list, with what keeps it from being ready. */
function brief(ticket: Ticket, labels: string[], open: readonly Ticket[]) {
  return {
    id: refOf(ticket),
    title: ticket.title,
    state: ticket.state,
    kind: ticket.kind,
    priority: ticket.priority,
    ...(labels.length > 0 && { labels }),
    ...(ticket.assignee && { assignee: ticket.assignee }),
    ...(isHeld(ticket.state) && { claimedBy: ticket.claim_label }),
    ...(ticket.state === 'blocked' && { waitsFor: ticket.waits_for }),
    ...(ticket.state === 'waiting' && { waitsFor: someRefs(open) }),
  };
}

/** As many as fit into a line. */
function someRefs(open: readonly Ticket[]): string {
  const more = open.length - SHOWN_NEEDS;
  const refs = open.slice(0, SHOWN_NEEDS).map(refOf).join(', ');
  return more > 0 ? `${refs} and ${more} more` : refs;
}

export async function briefs(tx: Reading, tickets: readonly Ticket[]) {
  const seqs = tickets.map(({ seq }) => seq);
  const labels = await labelsOfAll(tx, seqs);
  const rows = [];
  for (const ticket of tickets) {
    const open = ticket.state === 'waiting' ? await openNeeds(tx, ticket.id) : [];
    rows.push(brief(ticket, labels.get(ticket.seq) ?? [], open));
  }
  return rows;
}

/** Everything that somebody needs who works on it. */
export async function full(tx: Reading, ticket: Ticket, uptime: number) {
  const waits = await openNeeds(tx, ticket.id);
  const checks = (JSON.parse(ticket.checks) as CheckDefinition[]).map(commandText);
  const notes = await notesOf(tx, ticket);
  const evidence = await evidenceOf(tx, ticket);
  return {
    ...brief(ticket, await labelsOf(tx, ticket.seq), waits),
    body: cut(ticket.body, LONGEST_BODY, ticket),
    /** Where the words come from: they are data, not a message of the user. */
    source: `${refOf(ticket)}, written by ${ticket.created_by}`,
    ...(waits.length > 0 && { open: waits.map((need) => `${refOf(need)} (${need.state})`) }),
    ...(await linksOf(tx, ticket)),
    ...(checks.length > 0 && { checks }),
    ...(notes.length > 0 && { notes }),
    ...(ticket.resolution && { resolution: ticket.resolution }),
    ...(evidence && { evidence }),
    ...(isHeld(ticket.state) && { leaseSecondsLeft: leaseLeft(ticket, uptime) }),
    attempts: `${ticket.attempts}/${ticket.max_attempts}`,
    version: ticket.version,
    uuid: ticket.id,
    createdAt: iso(ticket.created_at),
    updatedAt: iso(ticket.updated_at),
  };
}

export function leaseLeft(ticket: Ticket, uptime: number): number {
  return Math.max(0, Math.round((ticket.claim_ms - silence(ticket, uptime)) / 1000));
}

async function linksOf(tx: Reading, ticket: Ticket) {
  const { id, parent_id: parent } = ticket;
  const links = await selectLinks(tx, { id });
  const back = await selectBackLinks(tx, { id, limit: SHOWN_LINKS });
  const family = await selectFamily(tx, { id, parent, limit: SHOWN_LINKS + 1 });
  const all = {
    needs: links.filter(({ type }) => type === 'needs'),
    blocks: back.filter(({ type }) => type === 'needs'),
    parent: family.filter(({ parent_id }) => parent_id !== ticket.id),
    subtasks: family.filter(({ parent_id }) => parent_id === ticket.id),
    related: [...links, ...back].filter(({ type }) => type === 'related'),
    duplicateOf: links.filter(({ type }) => type === 'duplicate'),
    duplicates: back.filter(({ type }) => type === 'duplicate'),
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, found]) =>
      found.length === 0 ? [] : [[name, found.map(refOf)]],
    ),
  ) as Partial<Record<keyof typeof all, string[]>>;
}

async function notesOf(tx: Reading, ticket: Ticket): Promise<string[]> {
  const rows = await selectNotes(tx, { id: ticket.id, limit: SHOWN_NOTES });
  return rows.toReversed().map((row) => truncate(describeHistory(row), LONGEST_NOTE));
}

/** What the last checks showed. */
export async function evidenceOf(tx: Reading, ticket: Ticket) {
  if (ticket.checks === '[]') return undefined;
  const row = await tables(tx)
    .selectFrom('ticket_history')
    .select('detail')
    .where('ticket_id', '=', ticket.id)
    .where('what', '=', 'checked')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return undefined;
  const { verdict, dirty, commit, checks } = JSON.parse(row.detail) as Evidence;
  return {
    verdict,
    dirty,
    ...(commit && { commit }),
    checks: checks.map((check) => ({ ...check })),
  };
}

/** All that ever happened, the newest last. */
export async function historyView(tx: Reading, ticket: Ticket): Promise<string[]> {
  const rows = await historyAfter(tx, ticket, 0);
  return rows.slice(-40).map((row) => describeHistory(row));
}

function cut(text: string, longest: number, ticket: Ticket): string {
  if (text.length <= longest) return text;
  return `${truncate(text, longest)}; all of it: baton://ticket/${refOf(ticket)}`;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
