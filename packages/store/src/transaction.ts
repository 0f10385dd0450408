import type { Kysely } from 'kysely';
import type { Queries } from './driver.ts';
import type { StoreTables } from './tables.ts';

/** What a read is made with. A feature adds its own tables with `db.withTables<…>()`. */
export interface Reading<Tables = StoreTables> extends Queries {
  readonly db: Kysely<Tables>;
}

/** What a write is made with. */
export interface Transaction<Tables = StoreTables> extends Reading<Tables> {
  /** Wall time of this transaction. */
  readonly now: number;
  /** Tells everybody who waits for the topic, once the transaction is committed. */
  emit(workspace: string, topic: string): void;
}
