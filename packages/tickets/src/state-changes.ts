import { BatonError } from '@baton/core';
import type { Act, Happening } from './act.ts';
import { type Change, changeTicket } from './changing.ts';
import { UNCLAIMED } from './creating.ts';
import { numberIn, refOf } from './definition.ts';
import { holds, type Proof } from './holding.ts';
import { changeLinks } from './links.ts';
import type { CheckRuns } from './ports.ts';
import { restingState } from './readiness.ts';
import { isClosed, isHeld, type SETTABLE } from './states.ts';
import type { Ticket } from './ticket-repository.ts';

export interface StateChange extends Proof {
  readonly state?: (typeof SETTABLE)[number] | undefined;
  readonly waitsFor?: string | undefined;
  readonly resolution?: string | undefined;
  /** A person stands behind it: a ticket for agents counts as done without its checks. */
  readonly isDecided?: boolean | undefined;
}

export async function setState(
  act: Act,
  ticket: Ticket,
  change: StateChange,
  checks: CheckRuns,
): Promise<Ticket> {
  const { state, resolution } = change;
  if (!state || state === ticket.state) return ticket;
  assertMayMove(ticket, change);
  if (isClosed(ticket.state) && state !== 'ready') throw notOpen(ticket);
  if (ticket.run_id) await checks.cancel(act.tx, ticket.run_id);
  const more = resolution === undefined ? {} : { resolution };
  switch (state) {
    case 'ready':
      return open(act, ticket, more);
    case 'blocked':
      return block(act, ticket, change.waitsFor, more);
    case 'cancelled':
      return move(act, ticket, { ...UNCLAIMED, ...more, state, waits_for: '' });
    case 'done':
      assertMayBeDone(ticket, change);
      return move(act, ticket, { ...UNCLAIMED, ...more, state, waits_for: '' });
  }
}

/** Opens it anew: whatever has been tried does not count any more, unless it is only given back. */
async function open(act: Act, ticket: Ticket, more: Change): Promise<Ticket> {
  if (ticket.state === 'waiting') return ticket; // It is as ready as it can be.
  const state = await restingState(act.tx, ticket.id);
  const anew = { attempts: 0, cycles: 0, waits_for: '', report_token: null, report_outcome: null };
  const isGivenBack = isHeld(ticket.state);
  return move(act, ticket, { ...UNCLAIMED, ...(!isGivenBack && anew), ...more, state });
}

/** What waits for another ticket goes on by itself; everything else needs somebody. */
export async function block(
  act: Act,
  ticket: Ticket,
  given: string | undefined,
  more: Change,
  happening: Happening = stateChange(ticket, 'blocked', given),
): Promise<Ticket> {
  const waitsFor = given?.trim() ?? '';
  if (!waitsFor) throw waitsForWhom();
  if (ticket.state === 'failed') throw notOpen(ticket);
  const change = { ...UNCLAIMED, ...more, state: 'blocked' as const, waits_for: waitsFor };
  const blocked = await changeTicket(act, ticket, change, happening);
  if (!/^T-?\d+$/i.test(waitsFor) || numberIn(waitsFor) === undefined) return blocked;
  const linked = await changeLinks(act, blocked, [{ type: 'needs', ticket: waitsFor }]);
  const state = await restingState(act.tx, ticket.id);
  return move(act, linked, { state, waits_for: '' });
}

function move(act: Act, ticket: Ticket, change: Change): Promise<Ticket> {
  return changeTicket(act, ticket, change, stateChange(ticket, change.state ?? ticket.state));
}

function stateChange(ticket: Ticket, state: string, because?: string) {
  return {
    what: 'changed' as const,
    detail: { state: [ticket.state, state], ...(because && { because }) },
  };
}

/** Whoever does not have it may add to it, and change what it says, but not move it. */
export function assertMayMove(ticket: Ticket, proof: Proof): void {
  if (!isHeld(ticket.state) || holds(ticket, proof)) return;
  throw new BatonError(
    'ticket_claimed',
    `${refOf(ticket)} is ${ticket.state} by ${ticket.claim_label}. Nothing was changed.`,
    `Leave it to them, or add a note. A person can take it away with \`baton ticket take ${refOf(ticket)}\`.`,
  );
}

function assertMayBeDone(ticket: Ticket, { isDecided }: StateChange): void {
  if (isDecided || (ticket.kind !== 'agent' && ticket.checks === '[]')) return;
  const ref = refOf(ticket);
  throw new BatonError(
    'report_needed',
    `${ref} is work for agents: it is done when whoever claimed it reports so${ticket.checks === '[]' ? '' : ' and its checks pass'}. Nothing was changed.`,
    `Claim it with ticket_next and report it with ticket_report. A person can decide otherwise with \`baton inbox decide ${ref} accept\`.`,
  );
}

function waitsForWhom(): BatonError {
  return new BatonError(
    'waits_for_whom',
    'What is blocked must say who or what it waits for. Nothing was changed.',
    'Pass `waitsFor`: a ticket such as T-9, a person, or what has to happen.',
  );
}

function notOpen(ticket: Ticket): BatonError {
  return new BatonError(
    'ticket_state',
    `${refOf(ticket)} is ${ticket.state}. Nothing was changed.`,
    'Open it first with state "ready".',
  );
}
