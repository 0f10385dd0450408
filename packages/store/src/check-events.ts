import { sql } from 'kysely';
import { HORIZON } from './events.ts';
import type { Reading } from './transaction.ts';

/**
 * What is missing in the log of changes. Its numbers have no gaps, the last one that was given is
 * kept apart from it, and so is the last one that was removed.
 */
export async function checkEvents({ db }: Reading): Promise<readonly string[]> {
  const { rows } = await sql<{ given: number; removed: number; kept: number; newest: number }>`
    select
      coalesce((select seq from sqlite_sequence where name = 'events'), 0) as given,
      coalesce((select cast(value as integer) from meta where name = ${HORIZON}), 0) as removed,
      (select count(*) from events not indexed) as kept,
      (select coalesce(max(seq), 0) from events) as newest`.execute(db);
  const [{ given, removed, kept, newest } = { given: 0, removed: 0, kept: 0, newest: 0 }] = rows;
  const missing = given - removed - kept;
  if (missing === 0 && newest <= given) return [];
  return [
    `the log of changes says ${given}, of which ${removed} were removed, but ${kept} are there, the newest ${newest}`,
  ];
}
