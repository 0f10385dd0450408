import { BatonError } from '@baton/core';
import type { Act } from './act.ts';
import { changeTicket } from './changing.ts';
import { UNCLAIMED } from './creating.ts';
import { type Outcome, refOf } from './definition.ts';
import { assertHolds, holds, type Proof } from './holding.ts';
import type { CheckRuns } from './ports.ts';
import { openNeeds, restingState } from './readiness.ts';
import { block } from './state-changes.ts';
import type { Ticket } from './ticket-repository.ts';
import { beginChecks } from './verifying.ts';

export interface Report extends Proof {
  readonly outcome: Outcome;
  readonly summary: string;
  readonly files?: readonly string[] | undefined;
  readonly decisions?: readonly string[] | undefined;
  /** For `blocked`: who or what. */
  readonly waitsFor?: string | undefined;
  readonly commit?: string | undefined;
}

/** What became of a claimed ticket, from whoever has it. */
export async function reportTicket(
  act: Act,
  ticket: Ticket,
  report: Report,
  checks: CheckRuns,
): Promise<Ticket> {
  if (isRepeated(ticket, report)) return ticket;
  await assertHolds(act, ticket, report);
  if (ticket.state === 'verifying') throw stillVerifying(ticket);
  const by = { ...act, by: ticket.claim_label };
  const reported = { report_token: ticket.claim_token, report_outcome: report.outcome };
  const detail = detailOf(ticket, report);
  switch (report.outcome) {
    case 'done':
      return done(by, ticket, report, { reported, detail }, checks);
    case 'partial': {
      const state = await restingState(act.tx, ticket.id);
      const change = { ...UNCLAIMED, ...reported, state };
      return changeTicket(by, ticket, change, { what: 'reported', detail });
    }
    case 'failed': {
      const attempts = ticket.attempts + 1;
      const isSpent = attempts >= ticket.max_attempts;
      const state: Ticket['state'] = isSpent ? 'failed' : await restingState(act.tx, ticket.id);
      const change = { ...UNCLAIMED, ...reported, state, attempts, resolution: report.summary };
      return changeTicket(by, ticket, change, { what: 'reported', detail });
    }
    case 'blocked':
      return block(by, ticket, report.waitsFor, reported, { what: 'reported', detail });
  }
}

interface Written {
  readonly reported: Pick<Ticket, 'report_token' | 'report_outcome'>;
  readonly detail: object;
}

async function done(
  act: Act,
  ticket: Ticket,
  report: Report,
  { reported, detail }: Written,
  checks: CheckRuns,
): Promise<Ticket> {
  const open = await openNeeds(act.tx, ticket.id);
  if (open.length > 0) throw needsOpen(ticket, open);
  const resolution = report.summary;
  if (ticket.checks !== '[]') {
    const change = { ...reported, resolution };
    const happening = { what: 'reported', detail } as const;
    return beginChecks(act, ticket, change, happening, checks, report.commit);
  }
  const change = { ...UNCLAIMED, ...reported, resolution, state: 'done' as const };
  return changeTicket(act, ticket, change, { what: 'reported', detail });
}

/** Whoever lost the answer asks again, and is told the same. */
function isRepeated(ticket: Ticket, { token, outcome, ...proof }: Report): boolean {
  if (ticket.report_outcome !== outcome || ticket.report_token === null) return false;
  if (token !== undefined) {
    return token === ticket.report_token && ticket.state !== 'claimed';
  }
  return ticket.state === 'verifying' && holds(ticket, proof);
}

function detailOf(
  ticket: Ticket,
  { outcome, summary, files, decisions, waitsFor, commit }: Report,
) {
  return {
    claim: ticket.claim_number,
    outcome,
    summary,
    ...(files?.length && { files }),
    ...(decisions?.length && { decisions }),
    ...(waitsFor && { waitsFor }),
    ...(commit && { commit }),
  };
}

function needsOpen(ticket: Ticket, open: readonly Ticket[]): BatonError {
  const named = open.slice(0, 5).map((need) => `${refOf(need)} (${need.state})`);
  return new BatonError(
    'needs_open',
    `${refOf(ticket)} cannot be done before ${named.join(', ')}. Nothing was changed.`,
    `Report "blocked" with waitsFor "${refOf(open[0] ?? ticket)}", or take the link away with ticket_update if it is wrong.`,
  );
}

function stillVerifying(ticket: Ticket): BatonError {
  return new BatonError(
    'still_verifying',
    `${refOf(ticket)} was reported as done, and its checks still run. Nothing was changed.`,
    'Wait for them with ticket_find {id, waitSeconds}.',
  );
}
