import type { Kysely } from 'kysely';
import type { StoreTables } from './tables.ts';

/** What a write is made with. Valid until the function that was given it returns. */
export interface Transaction<Tables = StoreTables> {
  readonly db: Kysely<Tables>;
  /** Wall time of this transaction. */
  readonly now: number;
  /** Tells everybody who waits for the topic, once the transaction is committed. */
  emit(workspace: string, topic: string): void;
}
