import { BatonError } from '@baton/core';
import { type Act, historyAfter } from './act.ts';
import { refOf } from './definition.ts';
import { isHeld } from './states.ts';
import type { HistoryRow } from './tables.ts';
import { type Ticket, tables } from './ticket-repository.ts';
import { describeHistory } from './views/history.ts';

/** What connects a call with a claim: its token, or who made it. */
export interface Proof {
  readonly token?: string | undefined;
  readonly agent?: string | undefined;
  readonly connection?: string | undefined;
}

/** Whether the caller has the ticket now. A token decides; without one, who claimed it. */
export function holds(ticket: Ticket, { token, agent, connection }: Proof): boolean {
  if (!isHeld(ticket.state)) return false;
  if (token !== undefined) return token === ticket.claim_token;
  return (
    (connection !== undefined && connection === ticket.claim_connection) ||
    (agent !== undefined && agent === ticket.claim_agent)
  );
}

/** Refuses whoever does not have the ticket, and says what happened meanwhile. */
export async function assertHolds(act: Act, ticket: Ticket, proof: Proof): Promise<void> {
  if (holds(ticket, proof)) return;
  throw proof.token === undefined ? noToken(ticket) : await lateClaim(act, ticket, proof.token);
}

/** Only calls that carry the token keep a lease alive. */
export async function renew(
  act: Act,
  ticket: Ticket,
  { token }: Proof,
  leaseSeconds?: number,
): Promise<Ticket> {
  if (token === undefined || ticket.state !== 'claimed') return ticket;
  const lease = leaseSeconds === undefined ? {} : { claim_ms: leaseSeconds * 1000 };
  const renewed = { ...ticket, claim_beat: act.uptime, ...lease };
  await touch(act, renewed);
  return renewed;
}

/** Not a change that anybody needs to hear of. */
async function touch({ tx }: Act, { seq, claim_beat, claim_ms }: Ticket): Promise<void> {
  await tables(tx)
    .updateTable('tickets')
    .set({ claim_beat, claim_ms })
    .where('seq', '=', seq)
    .execute();
}

function noToken(ticket: Ticket): BatonError {
  const ref = refOf(ticket);
  return isHeld(ticket.state)
    ? new BatonError(
        'token_needed',
        `${ref} is claimed by ${ticket.claim_label}. Nothing was changed.`,
        'Pass the `token` that ticket_next returned with it.',
      )
    : new BatonError(
        'not_claimed',
        `${ref} is ${ticket.state}: nobody has claimed it. Nothing was changed.`,
        'Claim it with ticket_next first.',
      );
}

async function lateClaim(act: Act, ticket: Ticket, token: string): Promise<BatonError> {
  const ref = refOf(ticket);
  const since = await sinceClaim(act, ticket, token);
  if (!since) {
    return new BatonError(
      'token_foreign',
      `This token was never for ${ref}. Nothing was changed.`,
      'Pass the token that ticket_next returned with this ticket.',
    );
  }
  const story = since.slice(-6).map((row) => describeHistory(row));
  return new BatonError(
    'claim_lost',
    `Your claim on ${ref} is over; it is ${describeNow(ticket)}. Nothing was changed. Since your claim: ${story.join('; ')}.`,
    `Stop working on it. What you found can be kept with ticket_update {id: "${ref}", note}; then ask for work with ticket_next.`,
  );
}

function describeNow({ state, claim_label }: Ticket): string {
  return isHeld(state) ? `${state} by ${claim_label}` : state;
}

/** What happened after the claim that the token was for; `undefined` if there was no such claim. */
async function sinceClaim(
  act: Act,
  ticket: Ticket,
  token: string,
): Promise<HistoryRow[] | undefined> {
  const [, of, number] = /^(\d{1,10})\.(\d{1,9})\./.exec(token) ?? [];
  if (Number(of) !== ticket.number) return undefined;
  const all = await historyAfter(act.tx, ticket, 0);
  const at = all.findIndex(
    ({ what, detail }) =>
      what === 'claimed' && (JSON.parse(detail) as { claim?: number }).claim === Number(number),
  );
  return at < 0 ? undefined : all.slice(at + 1);
}
