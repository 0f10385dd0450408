import type { Reading } from '@baton/store';
import type { Act } from './act.ts';
import { narrowed } from './candidates.ts';
import { changeTicket } from './changing.ts';
import { UNCLAIMED } from './creating.ts';
import { DEFAULT_LEASE_SECONDS, type Kind } from './definition.ts';
import { restingState } from './readiness.ts';
import { matchExpression } from './search.ts';
import {
  countClaimed,
  nextReady,
  selectExpired,
  selectHeld,
  selectNextExpiry,
  selectReady,
} from './ticket-queries.ts';
import type { Ticket } from './ticket-repository.ts';

export interface Wanted {
  readonly labels?: readonly string[] | undefined;
  readonly kind?: Kind | undefined;
  readonly text?: string | undefined;
  /** What is assigned to somebody else is not for this one. */
  readonly agent?: string | undefined;
}

export interface Claimant {
  readonly maxClaims: number;
  readonly agent?: string | undefined;
  readonly connection?: string | undefined;
  readonly leaseSeconds?: number | undefined;
}

/** How long a lease has been silent. After a restart of the machine: at least since then. */
export function silence({ claim_beat }: Pick<Ticket, 'claim_beat'>, uptime: number): number {
  return uptime >= claim_beat ? uptime - claim_beat : uptime;
}

/** The ticket that this agent has already, or the best one that is ready. */
export async function claimNext(
  act: Act,
  workspace: string,
  wanted: Wanted,
  claimant: Claimant,
): Promise<Ticket | undefined> {
  await expireClaims(act, workspace);
  const held = claimant.agent ? await heldBy(act.tx, workspace, claimant.agent) : undefined;
  if (held) return held;
  if (await isFull(act.tx, workspace, claimant.maxClaims)) return undefined;
  const ready = await firstReady(act.tx, workspace, wanted);
  return ready && claim(act, ready, claimant);
}

/** Whether as many tickets are claimed as may be; 0: any number. */
export async function isFull(tx: Reading, workspace: string, maxClaims: number): Promise<boolean> {
  if (maxClaims === 0) return false;
  const [row] = await countClaimed(tx, { workspace });
  return Number(row?.claimed) >= maxClaims;
}

async function claim(act: Act, ticket: Ticket, claimant: Claimant): Promise<Ticket> {
  const { agent, connection, leaseSeconds = DEFAULT_LEASE_SECONDS } = claimant;
  const number = ticket.claim_number + 1;
  const change = {
    state: 'claimed',
    claim_number: number,
    // The numbers tell which claim a token was for, long after it is over.
    claim_token: `${ticket.number}.${number}.${act.ids.next()}`,
    claim_agent: agent ?? null,
    claim_connection: connection ?? null,
    claim_label: agent ?? act.by,
    claim_ms: leaseSeconds * 1000,
    claim_beat: act.uptime,
    claimed_at: act.tx.now,
  } as const;
  const detail = { claim: number, by: change.claim_label, leaseSeconds };
  return changeTicket(act, ticket, change, { what: 'claimed', detail });
}

export async function heldBy(
  tx: Reading,
  workspace: string,
  agent: string,
): Promise<Ticket | undefined> {
  const [held] = await selectHeld(tx, { workspace, agent });
  return held;
}

/** The next ticket that can be claimed, without claiming it. */
export async function firstReady(
  tx: Reading,
  workspace: string,
  { labels = [], kind = 'agent', text, agent }: Wanted,
): Promise<Ticket | undefined> {
  const wanted = { workspace, kind, agent: agent ?? null };
  if (labels.length === 0 && text === undefined) return (await selectReady(tx, wanted))[0];
  const match = text === undefined ? undefined : await matchExpression(tx, text);
  if (text !== undefined && match === undefined) return undefined;
  const { rows, conditions } = await narrowed(tx, workspace, labels, match);
  return nextReady(rows, wanted)
    .where((when) => when.and(conditions))
    .executeTakeFirst();
}

/** Gives tickets back whose lease has run out, with a note of who had them. */
export async function expireClaims(act: Act, workspace: string): Promise<void> {
  for (const ticket of await expiredClaims(act.tx, workspace, act.uptime))
    await expire(act, ticket);
}

export function expiredClaims(tx: Reading, workspace: string, uptime: number): Promise<Ticket[]> {
  return selectExpired(tx, { workspace, uptime });
}

async function expire(act: Act, ticket: Ticket): Promise<void> {
  const attempts = ticket.attempts + 1;
  const state = attempts >= ticket.max_attempts ? 'failed' : await restingState(act.tx, ticket.id);
  const detail = { claim: ticket.claim_number, from: ticket.claim_label, state };
  const baton = { ...act, by: 'baton' };
  await changeTicket(baton, ticket, { state, attempts, ...UNCLAIMED }, { what: 'expired', detail });
}

/** How long until the next lease runs out, if any is held. */
export async function nextExpiryIn(
  tx: Reading,
  workspace: string,
  uptime: number,
): Promise<number | undefined> {
  const [row] = await selectNextExpiry(tx, { workspace, uptime });
  return row?.rest === null || row?.rest === undefined ? undefined : Math.max(0, row.rest);
}
