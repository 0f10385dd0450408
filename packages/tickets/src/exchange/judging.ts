import { BatonError } from '@baton/core';
import type { Reading } from '@baton/store';
import { historyAfter } from '../act.ts';
import { refOf } from '../definition.ts';
import type { TicketDocument } from '../documents/ticket-document.ts';
import { isHeld } from '../states.ts';
import { type Ticket, tables } from '../ticket-repository.ts';
import { type Content, contentOf, differences } from './content.ts';
import { changesContent } from './content-changes.ts';
import { documentOf } from './exporting.ts';
import { missingNotes } from './notes.ts';
import type { Links, References } from './references.ts';
import type { TicketFile } from './ticket-files.ts';
import { linkIdsIn } from './ticket-links.ts';

export interface Judged extends TicketFile {
  readonly links: Links;
  readonly content: Content;
  readonly verdict: 'created' | 'updated' | 'unchanged' | 'conflict';
  /** As it is here. */
  readonly known?: Ticket;
  readonly changes: ReturnType<typeof differences>;
  readonly newNotes: TicketDocument['notes'];
  /** Why it is a conflict. */
  readonly why?: string;
}

/** What is to be done with a file. */
export async function judge(
  tx: Reading,
  workspace: string,
  file: TicketFile,
  references: References,
  force: boolean,
): Promise<Judged> {
  const links = references.linksOf(file);
  const content = contentOf(file.draft, links);
  const { notes } = file.draft;
  const known = await tables(tx)
    .selectFrom('tickets')
    .selectAll()
    .where('id', '=', file.id)
    .executeTakeFirst();
  if (!known) return { ...file, links, content, verdict: 'created', changes: {}, newNotes: notes };
  if (known.workspace !== workspace) throw elsewhere(file, known);
  const document = await documentOf(tx, known);
  const before = contentOf(document, await linkIdsIn(tx, known));
  const changes = differences(before, content);
  const judged = {
    ...file,
    links,
    content,
    known,
    changes,
    newNotes: missingNotes(document.notes, notes),
  };
  const isSame = Object.keys(changes).length === 0 && judged.newNotes.length === 0;
  if (isSame) return { ...judged, verdict: 'unchanged' };
  if (force) return { ...judged, verdict: 'updated' };
  const last = await lastImport(tx, known);
  // It has been read before, and what has become of the ticket since then counts.
  if (last?.print === file.print) return { ...judged, verdict: 'unchanged' };
  const base = Math.max(file.draft.version ?? 1, last?.file === file.file ? last.version : 0);
  const since = (await historyAfter(tx, known, base)).filter(changesContent);
  const why = conflictIn(judged, known, since.length > 0 ? base : known.version);
  return why ? { ...judged, verdict: 'conflict', why } : { ...judged, verdict: 'updated' };
}

function conflictIn(
  { changes }: Pick<Judged, 'changes'>,
  known: Ticket,
  base: number,
): string | undefined {
  const changed = Object.keys(changes);
  if (changed.length === 0) return undefined;
  if (known.version > base) {
    return `was changed here since then (version ${known.version}, the file has ${base}); different: ${changed.join(', ')}`;
  }
  const moves =
    changed.includes('state') || (known.state === 'verifying' && changed.includes('checks'));
  return moves && isHeld(known.state) ? `is ${known.state} by ${known.claim_label}` : undefined;
}

/** The last time that a file was imported as this ticket. */
export async function lastImport(tx: Reading, { id }: Pick<Ticket, 'id'>) {
  const row = await tables(tx)
    .selectFrom('ticket_history')
    .select(['version', 'detail'])
    .where('ticket_id', '=', id)
    .where('what', '=', 'imported')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return undefined;
  const { file, print } = JSON.parse(row.detail) as { file?: string; print?: string };
  return { version: row.version, file, print };
}

function elsewhere({ file }: TicketFile, known: Ticket): BatonError {
  return new BatonError(
    'ticket_elsewhere',
    `${file} is ${refOf(known)} of another workspace, ${known.workspace}. Nothing was imported.`,
    'Work on it there; or take the line `id` out of a copy, which makes it a ticket of its own.',
  );
}
