import { BatonError, type CheckDefinition } from '@baton/core';
import type { Act } from './act.ts';
import { type Change, changeTicket } from './changing.ts';
import { UNCLAIMED } from './creating.ts';
import { refOf } from './definition.ts';
import { assertHolds, type Proof, renew } from './holding.ts';
import { changeLinks, type LinkChange } from './links.ts';
import type { CheckRuns } from './ports.ts';
import { restingState } from './readiness.ts';
import { indexWords } from './search.ts';
import { assertMayMove, type StateChange, setState } from './state-changes.ts';
import { isClosed, isHeld } from './states.ts';
import { addLabels, labelsOf, removeLabels, type Ticket } from './ticket-repository.ts';
import { assertVersion } from './versions.ts';

export interface TicketUpdate extends Proof, StateChange {
  readonly version?: number | undefined;
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly priority?: number | undefined;
  /** Added; `-x` takes x away. */
  readonly labels?: readonly string[] | undefined;
  /** Empty: nobody in particular. */
  readonly assignee?: string | undefined;
  readonly checks?: readonly CheckDefinition[] | undefined;
  readonly maxAttempts?: number | undefined;
  readonly note?: string | undefined;
  readonly links?: readonly LinkChange[] | undefined;
  /** Takes it away from whoever has it. */
  readonly take?: boolean | undefined;
  readonly leaseSeconds?: number | undefined;
}

/** Everything that one call changes about a ticket, or nothing of it. */
export async function updateTicket(
  act: Act,
  found: Ticket,
  update: TicketUpdate,
  checks: CheckRuns,
): Promise<Ticket> {
  let ticket = found;
  if (update.token !== undefined) await assertHolds(act, ticket, update);
  if (!isOnlyNote(update)) await assertVersion(act.tx, ticket, update.version);
  ticket = await renew(act, ticket, update, update.leaseSeconds);
  if (update.take && isHeld(ticket.state)) {
    if (!update.isDecided) assertMayMove(ticket, update);
    ticket = await takeAway(act, ticket, checks);
  }
  ticket = await changeFields(act, ticket, update);
  if (update.note !== undefined) ticket = await addNote(act, ticket, update.note);
  if (update.links) ticket = await changeLinks(act, ticket, update.links);
  if (update.state) return setState(act, ticket, update, checks);
  // The other one is worked on instead.
  const isDuplicate = update.links?.some(({ type, remove }) => type === 'duplicate' && !remove);
  if (!isDuplicate || isClosed(ticket.state)) return ticket;
  return setState(act, ticket, { ...update, state: 'cancelled' }, checks);
}

const BESIDE = ['note', 'token', 'agent', 'connection', 'version', 'leaseSeconds'];

function isOnlyNote(update: TicketUpdate): boolean {
  return Object.entries(update).every(
    ([key, value]) => value === undefined || value === false || BESIDE.includes(key),
  );
}

/** A person wants it: whoever has it is refused from now on. */
async function takeAway(act: Act, ticket: Ticket, checks: CheckRuns): Promise<Ticket> {
  if (ticket.run_id) await checks.cancel(act.tx, ticket.run_id);
  const state = await restingState(act.tx, ticket.id);
  const detail = { claim: ticket.claim_number, from: ticket.claim_label };
  return changeTicket(act, ticket, { ...UNCLAIMED, state }, { what: 'taken', detail });
}

async function changeFields(act: Act, ticket: Ticket, update: TicketUpdate): Promise<Ticket> {
  const wanted: Change = {
    ...(update.title !== undefined && { title: update.title }),
    ...(update.body !== undefined && { body: update.body }),
    ...(update.priority !== undefined && { priority: update.priority }),
    ...(update.assignee !== undefined && { assignee: update.assignee || null }),
    ...(update.maxAttempts !== undefined && { max_attempts: update.maxAttempts }),
    ...(update.checks !== undefined && { checks: JSON.stringify(update.checks) }),
  };
  const isOther = wanted.checks !== undefined && wanted.checks !== ticket.checks;
  if (isOther && isHeld(ticket.state)) throw checksFixed(ticket);
  const changes = Object.fromEntries(
    Object.entries(wanted).flatMap(([key, after]) => {
      const before = ticket[key as keyof Ticket];
      return before === after ? [] : [[key, [before, after]]];
    }),
  );
  const labels = await changeLabels(act, ticket, update.labels ?? []);
  const all = { ...changes, ...(labels && { labels }) };
  if (Object.keys(all).length === 0) return ticket;
  const changed = await changeTicket(act, ticket, wanted, {
    what: 'changed',
    detail: { changes: all },
  });
  if ('title' in changes || 'body' in changes) await indexWords(act.tx, changed);
  return changed;
}

async function changeLabels(
  act: Act,
  ticket: Ticket,
  labels: readonly string[],
): Promise<[string[], string[]] | undefined> {
  if (labels.length === 0) return undefined;
  const before = await labelsOf(act.tx, ticket.seq);
  await removeLabels(
    act.tx,
    ticket,
    labels.flatMap((label) => (label.startsWith('-') ? [label.slice(1)] : [])),
  );
  await addLabels(
    act.tx,
    ticket,
    labels.filter((label) => !label.startsWith('-')),
  );
  const after = await labelsOf(act.tx, ticket.seq);
  return before.join() === after.join() ? undefined : [before, after];
}

async function addNote(act: Act, ticket: Ticket, text: string): Promise<Ticket> {
  const noted = await changeTicket(act, ticket, {}, { what: 'note', detail: { text } });
  await indexWords(act.tx, noted);
  return noted;
}

/** Nobody decides while at work what the work is measured by. */
function checksFixed(ticket: Ticket): BatonError {
  return new BatonError(
    'checks_fixed',
    `${refOf(ticket)} is ${ticket.state} by ${ticket.claim_label}: its checks stay as they are as long as somebody has it. Nothing was changed.`,
    'Report it as blocked and say what is wrong with them, or let a person take it and change them.',
  );
}
