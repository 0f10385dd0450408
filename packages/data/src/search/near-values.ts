import { type Ask, ifCheap } from './ask.ts';
import { bound, joined, plain, type Sql, sql } from './sql.ts';
import { folded } from './text-of.ts';

const MOST = 3;
/** From 0 to 1; what is less alike was hardly meant. */
const ALIKE = 0.8;
/** Longer texts are compared by their beginning. */
const COMPARED = 100;
const SECONDS = 2;

/** A column of texts, or of lists of them, in a table. */
export interface TextColumn {
  readonly table: Sql;
  /** Of the record `t0`. */
  readonly value: Sql;
}

/** Values that somebody may have meant: the same but for case and accents, or else similar ones. */
export async function nearValues(
  ask: Ask,
  columns: readonly TextColumn[],
  wanted: string,
): Promise<readonly string[]> {
  if (columns.length === 0) return [];
  const all = joined(
    columns.map(({ table, value }) => sql`SELECT ${value} AS v FROM ${table} AS t0`),
    ' UNION ALL ',
  );
  const text = bound(wanted.slice(0, COMPARED));
  const short = plain(`left(v, ${COMPARED})`);
  const alike = sql`jaro_winkler_similarity(${folded(short)}, ${folded(text)})`;
  const isSame = sql`${folded(short)} = ${folded(text)}`;
  const rated = sql`SELECT v, ${isSame} AS is_same, ${alike} AS alike FROM (SELECT DISTINCT v FROM (${all}))`;
  const found = await ifCheap(
    ask(
      sql`SELECT v, is_same FROM (${rated}) WHERE is_same OR alike >= ${plain(ALIKE)} ORDER BY v = ${text} DESC, is_same DESC, alike DESC, v LIMIT ${plain(MOST)}`,
      SECONDS,
    ),
  );
  const rows = found ?? [];
  const same = rows.filter(([, isTheSame]) => isTheSame === true);
  return (same.length > 0 ? same : rows).map(([value]) => String(value));
}
