import { plansSchema } from '@baton/plans';
import type { Pruning, Schema } from '@baton/store';
import { ticketsSchema } from '@baton/tickets';
import { trustSchema } from './trust/schema.ts';

/** The tables of every built-in feature. Every process knows all of them: they share the store. */
export const schemas: readonly Schema[] = [plansSchema, ticketsSchema, trustSchema];

/** What they remove in time. */
export async function prunings(): Promise<readonly Pruning[]> {
  const { prunePlans } = await import('@baton/plans/jobs');
  return [prunePlans];
}
