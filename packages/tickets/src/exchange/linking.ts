import { BatonError } from '@baton/core';
import type { Reading } from '@baton/store';
import type { Act } from '../act.ts';
import { settleReadiness } from '../changing.ts';
import { assertNoCircle } from '../circles.ts';
import type { StoredLink } from '../tables.ts';
import { type Ticket, tables, ticketById } from '../ticket-repository.ts';
import type { Judged } from './judging.ts';

const STORED = { needs: 'needs', related: 'related', duplicateOf: 'duplicate' } as const;

/** Makes the links of all tickets what their files say. Returns the parents that had changed. */
export async function linkAll({ tx }: Act, all: readonly Judged[]): Promise<Set<string>> {
  const parents = new Set<string>();
  // First away with the old ones: new and old together may make a circle that is not there.
  for (const judged of all) await removeLinks(tx, judged, parents);
  for (const judged of all) {
    try {
      await addLinks(tx, judged, parents);
    } catch (error) {
      throw inFile(judged.file, error);
    }
  }
  return parents;
}

/** Those that got or lost a part and are here otherwise unchanged. */
export async function settleParents(act: Act, parents: ReadonlySet<string>): Promise<void> {
  for (const id of parents) {
    const parent = await ticketById(act.tx, id);
    if (parent) await settleReadiness(act, parent, 'its parts changed');
  }
}

async function removeLinks(tx: Reading, judged: Judged, parents: Set<string>): Promise<void> {
  const { id, changes, known } = judged;
  for (const [field, type] of Object.entries(STORED)) {
    if (!(field in changes)) continue;
    await tables(tx)
      .deleteFrom('ticket_links')
      .where('from_id', '=', id)
      .where('type', '=', type)
      .execute();
  }
  if (!('parent' in changes)) return;
  if (known?.parent_id) parents.add(known.parent_id);
  await setParent(tx, id, null);
}

async function addLinks(tx: Reading, judged: Judged, parents: Set<string>): Promise<void> {
  const { id, links, changes, known } = judged;
  const isNew = (field: string) => !known || field in changes;
  const ticket = await existing(tx, id);
  if (isNew('needs')) {
    for (const need of links.needs) {
      await assertNoCircle(tx, ticket, await existing(tx, need));
      await insertLink(tx, id, need, 'needs');
    }
  }
  if (isNew('related'))
    for (const other of links.related) await insertLink(tx, id, other, 'related');
  if (isNew('duplicateOf') && links.duplicateOf) {
    await insertLink(tx, id, links.duplicateOf, 'duplicate');
  }
  if (isNew('parent') && links.parent) {
    await assertNoCircle(tx, await existing(tx, links.parent), ticket);
    await setParent(tx, id, links.parent);
    parents.add(links.parent);
  }
}

async function insertLink(tx: Reading, from_id: string, to_id: string, type: StoredLink) {
  await tables(tx).insertInto('ticket_links').values({ from_id, to_id, type }).execute();
}

async function setParent(tx: Reading, id: string, parent_id: string | null): Promise<void> {
  await tables(tx).updateTable('tickets').set({ parent_id }).where('id', '=', id).execute();
}

async function existing(tx: Reading, id: string): Promise<Ticket> {
  const ticket = await ticketById(tx, id);
  if (!ticket) throw new Error(`${id} is gone within the transaction`);
  return ticket;
}

function inFile(file: string, error: unknown): unknown {
  if (!(error instanceof BatonError)) return error;
  return new BatonError(error.code, `${file}: ${error.message}`, error.next, { cause: error });
}
