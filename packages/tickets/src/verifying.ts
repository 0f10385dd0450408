import type { CheckDefinition } from '@baton/core';
import type { Reading } from '@baton/store';
import type { Act, Happening } from './act.ts';
import { type Change, changeTicket } from './changing.ts';
import { UNCLAIMED } from './creating.ts';
import { MAX_CYCLES, refOf } from './definition.ts';
import type { CheckRuns, Evidence } from './ports.ts';
import { selectVerifying, selectVerifyingAnywhere } from './ticket-queries.ts';
import { type Ticket, ticketById } from './ticket-repository.ts';

/** It is done if its checks say so. They run as soon as a worker has time. */
export async function beginChecks(
  act: Act,
  ticket: Ticket,
  change: Change,
  happening: Happening,
  runs: CheckRuns,
  commit?: string,
): Promise<Ticket> {
  const checks = JSON.parse(ticket.checks) as CheckDefinition[];
  const title = `Checks of ${refOf(ticket)}: ${ticket.title}`.slice(0, 200);
  const run_id = await runs.start(act.tx, { workspace: ticket.workspace, title, checks, commit });
  return changeTicket(act, ticket, { ...change, state: 'verifying', run_id }, happening);
}

/** Tickets whose checks are over, and nobody has looked at them yet. */
export async function checkedTickets(
  tx: Reading,
  workspace: string | undefined,
  runs: CheckRuns,
): Promise<Ticket[]> {
  const verifying =
    workspace === undefined
      ? await selectVerifyingAnywhere(tx, {})
      : await selectVerifying(tx, { workspace });
  const ids = verifying.flatMap(({ run_id }) => (run_id ? [run_id] : []));
  if (ids.length === 0) return [];
  const ended = new Set(await runs.ended(tx, ids));
  return verifying.filter(({ run_id }) => run_id && ended.has(run_id));
}

/** Draws the conclusion from the checks, unless somebody else has done so. */
export async function concludeChecks(
  act: Act,
  { id, run_id }: Ticket,
  evidence: Evidence,
): Promise<void> {
  const ticket = await ticketById(act.tx, id);
  if (ticket?.state !== 'verifying' || ticket.run_id !== run_id) return;
  const happening = {
    what: 'checked',
    detail: { claim: ticket.claim_number, ...evidence },
  } as const;
  const baton = { ...act, by: 'baton' };
  if (evidence.verdict === 'passed') {
    await changeTicket(baton, ticket, { ...UNCLAIMED, state: 'done' }, happening);
    return;
  }
  const cycles = ticket.cycles + (evidence.verdict === 'failed' ? 1 : 0);
  // Whoever did the work puts it right, with as much time as at first.
  const back = { state: 'claimed', run_id: null, cycles, claim_beat: act.uptime } as const;
  const away = {
    ...UNCLAIMED,
    state: 'blocked',
    cycles,
    waits_for: `a person: the checks have failed ${cycles} times`,
  } as const;
  await changeTicket(baton, ticket, cycles < MAX_CYCLES ? back : away, happening);
}
