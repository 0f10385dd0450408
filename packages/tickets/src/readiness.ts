import type { Reading } from '@baton/store';
import { selectOpenNeeds, selectOpenParts } from './ticket-queries.ts';
import type { Ticket } from './ticket-repository.ts';

/** What keeps a ticket from being worked on: needs that are not done, and its own open parts. */
export async function openNeeds(tx: Reading, id: string): Promise<Ticket[]> {
  const needs = await selectOpenNeeds(tx, { id });
  const parts = await selectOpenParts(tx, { id });
  const known = new Set(needs.map((need) => need.id));
  return [...needs, ...parts.filter((part) => !known.has(part.id))];
}

export async function restingState(tx: Reading, id: string): Promise<'ready' | 'waiting'> {
  return (await openNeeds(tx, id)).length > 0 ? 'waiting' : 'ready';
}
