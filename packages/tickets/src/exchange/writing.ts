import { type Act, record } from '../act.ts';
import { type Change, rewriteTicket, settleReadiness } from '../changing.ts';
import { insertTicket, UNCLAIMED } from '../creating.ts';
import type { CheckRuns } from '../ports.ts';
import { restingState } from '../readiness.ts';
import { indexWords } from '../search.ts';
import { isClosed } from '../states.ts';
import { addLabels, removeLabels, type Ticket, tables, ticketById } from '../ticket-repository.ts';
import type { Judged } from './judging.ts';
import { addNotes } from './notes.ts';

/** A ticket as its file tells of it. Whether it is ready is seen when all of them are there. */
export async function insertImported(act: Act, workspace: string, judged: Judged): Promise<Ticket> {
  const { draft, content, file, print, id } = judged;
  const updated = draft.updatedAt ? Date.parse(draft.updatedAt) : act.tx.now;
  // Nothing that happens meanwhile moves what is blocked.
  const state = draft.state === 'open' ? 'blocked' : draft.state;
  const ticket = await insertTicket(act, workspace, draft, {
    id,
    ...(draft.number !== undefined && { number: draft.number }),
    state,
    waits_for: content.waitsFor,
    resolution: content.resolution,
    version: draft.version ?? 1,
    attempts: state === 'failed' ? draft.maxAttempts : 0,
    created_by: draft.createdBy ?? act.by,
    created_at: draft.createdAt ? Date.parse(draft.createdAt) : act.tx.now,
    updated_at: updated,
    closed_at: isClosed(state) ? updated : null,
  });
  await addNotes(act.tx, ticket, draft.notes);
  await record(act, ticket, { what: 'imported', detail: { file, print } });
  await indexWords(act.tx, ticket);
  return ticket;
}

/** Ready or waiting, without counting as a change. */
export async function settleImported({ tx }: Act, { id, draft }: Judged): Promise<void> {
  if (draft.state !== 'open') return;
  const state = await restingState(tx, id);
  await tables(tx).updateTable('tickets').set({ state }).where('id', '=', id).execute();
}

/** Makes a ticket what its file says; its links are there already. */
export async function updateImported(act: Act, judged: Judged, runs: CheckRuns): Promise<void> {
  const { tx } = act;
  const { id, draft, content, changes, newNotes, file, print } = judged;
  const ticket = await ticketById(tx, id);
  if (!ticket) throw new Error(`${file} is gone within the transaction`);
  if (changes.labels) {
    const [before] = changes.labels as [string[], string[]];
    await removeLabels(tx, ticket, before);
    await addLabels(tx, ticket, content.labels);
  }
  const moved = 'state' in changes || 'waitsFor' in changes;
  if (moved && ticket.run_id) await runs.cancel(tx, ticket.run_id);
  const change: Change = {
    title: content.title,
    body: content.body,
    kind: content.kind,
    priority: content.priority,
    assignee: content.assignee || null,
    checks: JSON.stringify(content.checks),
    max_attempts: content.maxAttempts,
    resolution: content.resolution,
    ...(moved && (await stateIn(act, judged))),
  };
  const version = Math.max(ticket.version + 1, draft.version ?? 0);
  const detail = { file, print, ...(Object.keys(changes).length > 0 && { changes }) };
  await addNotes(tx, { id, version }, newNotes);
  const written = await rewriteTicket(act, ticket, change, { what: 'imported', detail }, version);
  await indexWords(tx, written);
  await settleReadiness(act, written, `${file} was imported`);
}

/** Whoever has it has it no more. */
async function stateIn({ tx }: Act, { id, content }: Judged): Promise<Change> {
  const nobody = { ...UNCLAIMED, waits_for: content.waitsFor };
  switch (content.state) {
    case 'open': {
      const anew = { attempts: 0, cycles: 0, report_token: null, report_outcome: null };
      return { ...nobody, ...anew, state: await restingState(tx, id) };
    }
    case 'failed':
      return { ...nobody, state: 'failed', attempts: content.maxAttempts };
    default:
      return { ...nobody, state: content.state };
  }
}
