import type { Schema } from '@baton/store';
import { trustSchema } from './trust/schema.ts';

/** The tables of every built-in feature. Every process knows all of them: they share the store. */
export const schemas: readonly Schema[] = [trustSchema];
