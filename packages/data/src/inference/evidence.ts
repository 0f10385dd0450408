import { type Engine, quoteText } from '../engine/engine.ts';
import type { Cell, Field } from '../model.ts';
import { inBatches } from './batches.ts';
import { type Column, itemType, valuesOf } from './columns.ts';

/** A column, and others, at least one, that its values may be of. */
interface Question extends Column {
  readonly among: readonly Column[];
}

export interface Count {
  /** Different values, and all of them. */
  readonly values: number;
  readonly total: number;
}

export interface Evidence extends Count {
  readonly min: Cell;
  readonly max: Cell;
  /** What was found, for each of `among`. */
  readonly found: readonly Count[];
  /** Of texts. */
  readonly shape?: Shape;
}

/** How many different values are so. */
export interface Shape {
  readonly shortest: number;
  readonly meanLength: number;
  readonly digits: number;
  /** Digits and something else, without blanks. */
  readonly codes: number;
  readonly uuids: number;
}

/** Counts exactly, in few statements; without an answer for what cannot be counted. */
export async function askFor(
  questions: readonly Question[],
  engine: Engine,
  signal: AbortSignal | undefined,
): Promise<Map<Question, Evidence>> {
  const byType = new Map<string, (Question & { rows: number; asked: Question })[]>();
  for (const asked of questions) {
    const type = comparedAs(asked);
    const rows = [asked, ...asked.among].reduce((sum, { table }) => sum + table.rows, 0);
    byType.set(type, [...(byType.get(type) ?? []), { ...asked, rows, asked }]);
  }
  const answers = new Map<Question, Evidence>();
  for (const [type, those] of byType) {
    const found = await inBatches(those, async (some) => {
      const evidence = await ask(some, type, engine, signal);
      return some.map(({ asked }, at) => [asked, evidence[at]] as const);
    });
    for (const [asked, evidence] of found) if (evidence) answers.set(asked, evidence);
  }
  return answers;
}

/** The type that values of both sides have, or are given. */
function comparedAs({ field, among }: Question): string {
  const types = new Set([field, ...among.map((other) => other.field)].map(itemType));
  const [type = 'VARCHAR'] = types;
  return types.size === 1 ? type : 'DOUBLE';
}

async function ask(
  questions: readonly Question[],
  type: string,
  engine: Engine,
  signal: AbortSignal | undefined,
): Promise<(Evidence | undefined)[]> {
  const sql = statementOf(questions, type);
  const most = questions.reduce((sum, { among }) => sum + 1 + among.length, 0);
  const { rows } = await engine.run(sql, { rows: most, ...(signal && { signal }) });
  const counts = new Map(rows.map((row) => [`${row[0]} ${row[1] ?? ''}`, row]));
  return questions.map((question, at) => {
    const found = question.among.map((_, n) => countOf(counts.get(`${at} ${n}`)));
    return evidenceOf(counts.get(`${at} `), found);
  });
}

function statementOf(questions: readonly Question[], type: string): string {
  const targets = new Map<Field, { readonly k: number; readonly column: Column }>();
  const pairs = questions.flatMap(({ among }, at) =>
    among.map((column, n) => {
      const k = targets.get(column.field)?.k ?? targets.size;
      targets.set(column.field, { k, column });
      return `(${at}, ${n}, ${k})`;
    }),
  );
  const columns = [...targets.values()].map(({ column }) => column);
  const isText = type === 'VARCHAR';
  // An empty text means that there is none.
  const isValue = isText ? `v <> ''` : 'v IS NOT NULL';
  return `WITH d AS MATERIALIZED (
      SELECT n AS i, v, count(*) AS c FROM (${valuesOf(questions, type)}) WHERE ${isValue} GROUP BY n, v),
    p(i, n, k) AS (VALUES ${pairs.join(', ')}),
    t AS (${valuesOf(columns, type)})
    SELECT i, NULL AS n, count(*), sum(c)::BIGINT, min(v)::VARCHAR, max(v)::VARCHAR,
    ${isText ? SHAPE : 'NULL'} FROM d GROUP BY i
    UNION ALL
    SELECT i, n, count(*), sum(c)::BIGINT, NULL, NULL, NULL
    FROM (SELECT d.i, p.n, p.k, d.v, d.c FROM d JOIN p ON d.i = p.i) AS s
    SEMI JOIN t ON s.v = t.v AND s.k = t.n GROUP BY i, n`;
}

const UUID = '[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}';
const SHAPE = `[min(length(v)), avg(length(v)),
  count_if(regexp_full_match(v, '[0-9]+')),
  count_if(regexp_full_match(v, '[^ ]*[0-9][^ ]*') AND NOT regexp_full_match(v, '[0-9]+')),
  count_if(regexp_full_match(v, ${quoteText(UUID)}))]::DOUBLE[]`;

function countOf(row: readonly Cell[] | undefined): Count {
  return { values: Number(row?.[2] ?? 0), total: Number(row?.[3] ?? 0) };
}

function evidenceOf(row: readonly Cell[] | undefined, found: Count[]): Evidence {
  const shape = row?.[6];
  const [shortest = 0, meanLength = 0, digits = 0, codes = 0, uuids = 0] = Array.isArray(shape)
    ? shape.map(Number)
    : [];
  return {
    ...countOf(row),
    min: edge(row?.[4], Array.isArray(shape)),
    max: edge(row?.[5], Array.isArray(shape)),
    found,
    ...(Array.isArray(shape) && { shape: { shortest, meanLength, digits, codes, uuids } }),
  };
}

function edge(value: Cell | undefined, isText: boolean): Cell {
  return isText || value === null || value === undefined ? (value ?? null) : Number(value);
}
