import { type Act, type Happening, record } from './act.ts';
import { refOf } from './definition.ts';
import { restingState } from './readiness.ts';
import { canBecome, isClosed } from './states.ts';
import { selectDependents, updateTicketRow } from './ticket-queries.ts';
import { type Ticket, ticketById } from './ticket-repository.ts';

export type Change = Partial<Omit<Ticket, 'seq' | 'id' | 'workspace' | 'number' | 'version'>>;

/** Changes a ticket, writes it down, and sees to those that wait for it. */
export async function changeTicket(
  act: Act,
  ticket: Ticket,
  change: Change,
  happening: Happening,
): Promise<Ticket> {
  const state = change.state ?? ticket.state;
  if (!canBecome(ticket.state, state)) {
    throw new TypeError(`A ticket that is ${ticket.state} cannot become ${state}`);
  }
  return rewriteTicket(act, ticket, change, happening);
}

/** The same for what has happened somewhere else, where it went other ways. */
export async function rewriteTicket(
  act: Act,
  ticket: Ticket,
  change: Change,
  happening: Happening,
  version = ticket.version + 1,
): Promise<Ticket> {
  const { tx } = act;
  const state = change.state ?? ticket.state;
  const marks = {
    version,
    updated_at: tx.now,
    closed_at: isClosed(state) ? (ticket.closed_at ?? tx.now) : null,
  };
  const columns = { ...change, ...marks };
  const written = await updateTicketRow(tx, ticket, columns);
  if (!written) throw new Error(`${refOf(ticket)} was changed within the transaction`);
  const changed = { ...ticket, ...columns };
  await record(act, changed, happening);
  if (changesOthers(ticket, changed)) await settleDependents(act, changed);
  if (isClosed(state) && !isClosed(ticket.state)) await act.ended(changed);
  return changed;
}

function changesOthers(before: Ticket, after: Ticket): boolean {
  const isDone = ({ state }: Ticket) => state === 'done';
  return isClosed(before.state) !== isClosed(after.state) || isDone(before) !== isDone(after);
}

/** Its needs or parts have changed: is it ready? What is worked on already is left alone. */
export async function settleReadiness(act: Act, ticket: Ticket, because: string): Promise<Ticket> {
  if (ticket.state !== 'ready' && ticket.state !== 'waiting') return ticket;
  const state = await restingState(act.tx, ticket.id);
  if (state === ticket.state) return ticket;
  const detail = { state: [ticket.state, state], because };
  return changeTicket(act, ticket, { state }, { what: 'changed', detail });
}

/** This was closed or opened: whatever needs it, and what it is a part of, may be affected. */
async function settleDependents(act: Act, ticket: Ticket): Promise<void> {
  const dependents = await selectDependents(act.tx, { id: ticket.id });
  const because = `${refOf(ticket)} is ${isClosed(ticket.state) ? ticket.state : 'open again'}`;
  for (const dependent of dependents) await settleReadiness(act, dependent, because);
  const parent = ticket.parent_id ? await ticketById(act.tx, ticket.parent_id) : undefined;
  // Read only now: it may be among those that need this one, too.
  if (parent) await settleReadiness(act, parent, because);
}
