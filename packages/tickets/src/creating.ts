import type { CheckDefinition } from '@baton/core';
import { type Act, record } from './act.ts';
import { DEFAULT_ATTEMPTS, DEFAULT_PRIORITY, type Kind } from './definition.ts';
import { changeLinks, type LinkChange, resolveLinks } from './links.ts';
import { indexWords } from './search.ts';
import { addLabels, type Ticket, tables, takeNumber } from './ticket-repository.ts';

export interface NewTicket {
  readonly title: string;
  readonly body?: string | undefined;
  readonly kind?: Kind | undefined;
  readonly priority?: number | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly assignee?: string | undefined;
  readonly checks?: readonly CheckDefinition[] | undefined;
  readonly maxAttempts?: number | undefined;
  readonly links?: readonly LinkChange[] | undefined;
}

/** What only an import knows: the ticket has lived somewhere else. */
export type Known = Partial<Omit<Ticket, 'seq' | 'workspace'>>;

export async function createTicket(act: Act, workspace: string, given: NewTicket): Promise<Ticket> {
  const links = await resolveLinks(act.tx, workspace, given.links ?? []);
  const ticket = await insertTicket(act, workspace, given);
  await record(act, ticket, { what: 'created' });
  await indexWords(act.tx, ticket);
  return links.length > 0 ? changeLinks(act, ticket, links) : ticket;
}

/** The row and its labels only; `known` is what does not begin with this ticket. */
export async function insertTicket(
  { tx, by, ids }: Act,
  workspace: string,
  given: Omit<NewTicket, 'links'>,
  known: Known = {},
): Promise<Ticket> {
  const { number: wanted, ...rest } = known;
  const row = {
    id: ids.next(),
    workspace,
    number: await takeNumber(tx, workspace, wanted),
    title: given.title,
    body: given.body ?? '',
    kind: given.kind ?? 'agent',
    state: 'ready' as const,
    priority: given.priority ?? DEFAULT_PRIORITY,
    parent_id: null,
    assignee: given.assignee ?? null,
    waits_for: '',
    resolution: '',
    version: 1,
    checks: JSON.stringify(given.checks ?? []),
    max_attempts: given.maxAttempts ?? DEFAULT_ATTEMPTS,
    ...UNCLAIMED,
    attempts: 0,
    cycles: 0,
    claim_number: 0,
    report_token: null,
    report_outcome: null,
    created_by: by,
    created_at: tx.now,
    updated_at: tx.now,
    closed_at: null,
    ...rest,
  };
  const { seq } = await tables(tx)
    .insertInto('tickets')
    .values(row)
    .returning('seq')
    .executeTakeFirstOrThrow();
  const ticket = { seq, ...row };
  await addLabels(tx, ticket, given.labels ?? []);
  return ticket;
}

/** A ticket that nobody has. */
export const UNCLAIMED = {
  run_id: null,
  claim_token: null,
  claim_agent: null,
  claim_connection: null,
  claim_label: '',
  claim_ms: 0,
  claim_beat: 0,
  claimed_at: null,
} as const;
