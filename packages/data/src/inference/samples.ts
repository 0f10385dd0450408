import { type Engine, quoteName, quoteText } from '../engine/engine.ts';
import { FEW_CODES } from './accept.ts';
import { inBatches } from './batches.ts';
import { canBe, cannotLead, type Pair, type Source, type Target } from './candidates.ts';
import { valuesOf } from './columns.ts';
import { isShort, knownTexts } from './keys.ts';

/** So many values of a field are looked for everywhere. */
const SAMPLES = 4;
const LONGEST = 64;
const MOST_HITS = 100_000;

/** Texts some of whose values are known to be values of a target. */
export async function sampledPairs(
  sources: readonly Source[],
  targets: readonly Target[],
  engine: Engine,
  signal: AbortSignal | undefined,
): Promise<Pair[]> {
  const open = sources.filter(isWanted);
  const among = targets.filter(({ domain }) => domain.kind === 'text');
  if (open.length === 0 || among.length === 0) return [];
  const listed = await listSamples(open, engine, signal);
  const samples = open.map((source) => listed.get(source) ?? knownSamples(source));
  const values = samples.flatMap((those, at) =>
    those.map((value) => `(${at}, ${quoteText(value)})`),
  );
  if (values.length === 0) return [];
  const columns = among.map((target) => ({
    target,
    table: target.table.facts,
    field: target.field,
    rows: target.table.facts.rows,
  }));
  return inBatches(columns, async (some) => {
    const sql = `WITH s(i, v) AS (VALUES ${values.join(', ')}),
      t AS (${valuesOf(some, 'VARCHAR')})
      SELECT t.n, s.i, count(*) FROM t JOIN s ON s.v = t.v GROUP BY t.n, s.i`;
    const { rows } = await engine.run(sql, { rows: MOST_HITS, ...(signal && { signal }) });
    return rows.flatMap(([n, at, hits]): Pair[] => {
      const source = open[Number(at)];
      const target = some[Number(n)]?.target;
      if (!source || !target || hits !== samples[Number(at)]?.length) return [];
      if (!canBe(source, target) || cannotLead(source, target)) return [];
      return [{ source, target, hint: 0, rank: 0 }];
    });
  });
}

/** Fewer values, and longer texts, would not be enough to say where they lead. */
function isWanted({ isOpen, domain, field }: Source): boolean {
  if (!isOpen || domain.kind !== 'text') return false;
  return domain.isList || (field.distinct >= FEW_CODES && isShort(field));
}

function knownSamples({ field }: Source): string[] {
  return [...new Set(knownTexts(field).filter(isSample))].slice(0, SAMPLES);
}

/** Longer ones may have been cut. */
function isSample(value: string): boolean {
  return value.length > 0 && value.length <= LONGEST && !value.includes('\0');
}

async function listSamples(
  sources: readonly Source[],
  engine: Engine,
  signal: AbortSignal | undefined,
): Promise<Map<Source, string[]>> {
  const lists = sources.filter(({ domain }) => domain.isList);
  const samples = new Map(lists.map((source) => [source, [] as string[]]));
  if (lists.length === 0) return samples;
  const sql = lists
    .map(({ table, field }, at) => {
      const column = quoteName(field.name);
      return `(SELECT DISTINCT ${at}, v FROM (SELECT unnest(${column}) AS v FROM (
        SELECT ${column} FROM ${quoteName(table.facts.table)} WHERE len(${column}) > 0 LIMIT ${SAMPLES})
        LIMIT ${SAMPLES}) WHERE v IS NOT NULL)`;
    })
    .join('\nUNION ALL\n');
  const { rows } = await engine.run(sql, {
    rows: lists.length * SAMPLES,
    ...(signal && { signal }),
  });
  for (const [at, value] of rows) {
    const source = lists[Number(at)];
    if (source && typeof value === 'string' && isSample(value)) samples.get(source)?.push(value);
  }
  return samples;
}
