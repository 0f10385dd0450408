import { type Engine, quoteName } from '../engine/engine.ts';
import type { Field } from '../model.ts';
import { inBatches } from './batches.ts';
import type { KnownTable } from './candidates.ts';
import { rangeOf } from './domains.ts';
import type { FoundRelation } from './facts.ts';
import { type FieldName, isIdNamed, isMeasure, readName } from './field-names.ts';
import { OWN, ownness } from './keys.ts';
import type { Forms } from './table-names.ts';

/** Fields that may tell records apart together. */
export interface Together {
  readonly table: KnownTable;
  readonly fields: readonly string[];
}

interface Part {
  readonly field: Field;
  readonly weight: number;
}

const MOST_PER_TABLE = 12;
/** Of a large table, its first records rule most out. */
const FIRST_ROWS = 20_000;
const PERIODS =
  /^(?:date|day|week|month|quarter|year|term|semester|trimester|season|period|valid)$/;
/** How likely a field is a part of a key, the likeliest first. */
const COUNTER = -1;
const RELATION = 0;
const ID = 1;
const PERIOD = 3;
const OTHER = 6;
const MOST_PARTS = 10;
/** So many pairs of records should have been equal if it were not a key; more if no name says so. */
const BY_CHANCE = 2;
const BY_CHANCE_OTHERS = 10;
const COUNTERS =
  /^(?:line|linea|ligne|zeile|pos|position|seq|sequence|step|row|item|index|idx|sort|order|ordering|ordinal|number|no|nr)$/;

/** Pairs of fields, then three of them, that may be a key; the likeliest first. */
export function possibleKeys(table: KnownTable, relations: readonly FoundRelation[]): Together[] {
  const { fields, rows } = table.facts;
  const parts = fields
    .flatMap((field) => {
      const weight = partWeight(field, relations, table.forms);
      const isPart = weight !== undefined && field.missing === 0 && !field.isUnique;
      return isPart ? [{ field, weight }] : [];
    })
    .sort((a, b) => a.weight - b.weight)
    .slice(0, MOST_PARTS)
    .sort((a, b) => fields.indexOf(a.field) - fields.indexOf(b.field));
  const groups = [...combinations(parts, 2), ...combinations(parts, 3)].filter(
    (group) =>
      group.some(({ weight }) => weight === RELATION || weight === ID) && isTelling(group, rows),
  );
  const weightOf = (group: readonly Part[]) =>
    group.length * 10 + group.reduce((sum, { weight }) => sum + weight, 0);
  return groups
    .sort((a, b) => weightOf(a) - weightOf(b))
    .slice(0, MOST_PER_TABLE)
    .map((group) => ({ table, fields: group.map(({ field }) => field.name) }));
}

/**
 * Whether it says something that no two records have these values: three fields with many values
 * tell a few records apart by chance. What counts within something is there for it.
 */
function isTelling(group: readonly Part[], rows: number): boolean {
  const possible = group.reduce((product, { field }) => product * field.distinct, 1);
  if (possible < rows) return false;
  const equalByChance = rows ** 2 / (2 * possible);
  if (group.some(({ weight }) => weight === COUNTER)) return true;
  const isOther = group.some(({ weight }) => weight === OTHER);
  return equalByChance >= (isOther ? BY_CHANCE_OTHERS : BY_CHANCE);
}

/** Smaller for what is likelier to be a part of a key. */
function partWeight(
  field: Field,
  relations: readonly FoundRelation[],
  forms: Forms,
): number | undefined {
  const { type } = field;
  if (type === 'date' || type === 'timestamp') return PERIOD;
  if (type !== 'text' && type !== 'integer') return undefined;
  if (relations.some((relation) => relation.field === field.name)) return RELATION;
  const name = readName(field.name);
  if (isCounting(field) && isCounter(name, forms)) return COUNTER;
  if (isIdNamed(name) && !name.isContact && !name.isSequence) return ID;
  if (name.words.some((word) => PERIODS.test(word))) return PERIOD;
  return isMeasure(name) || name.isContact || name.mark === 'name' ? undefined : OTHER;
}

/** Integers, also as texts: `000010`. */
function isCounting({ min, max, distinct }: Field): boolean {
  return rangeOf(min, max, distinct) !== undefined;
}

/** `line_no` of order_lines, `section` of sections. */
function isCounter(name: FieldName, forms: Forms): boolean {
  if (name.isSequence) return true;
  if (name.mark !== undefined && name.stem.length > 0) return false;
  return COUNTERS.test(name.words.at(-1) ?? '') || ownness(name, forms) >= OWN;
}

function combinations<Item>(items: readonly Item[], size: number): Item[][] {
  if (size === 0) return [[]];
  return items.flatMap((item, at) =>
    combinations(items.slice(at + 1), size - 1).map((rest) => [item, ...rest]),
  );
}

/** Those that no two records of their table have in common. */
export async function uniqueOnes(
  groups: readonly Together[],
  engine: Engine,
  signal: AbortSignal | undefined,
): Promise<Together[]> {
  const left = await unique(groups, FIRST_ROWS, engine, signal);
  const isLarge = ({ table }: Together) => table.facts.rows > FIRST_ROWS;
  const large = await unique(left.filter(isLarge), undefined, engine, signal);
  return left.filter((group) => !isLarge(group) || large.includes(group));
}

async function unique(
  groups: readonly Together[],
  first: number | undefined,
  engine: Engine,
  signal: AbortSignal | undefined,
): Promise<Together[]> {
  const counted = groups.map((group) => ({
    group,
    rows: Math.min(group.table.facts.rows, first ?? Number.POSITIVE_INFINITY),
  }));
  return inBatches(counted, async (some) => {
    const sql = `SELECT DISTINCT i FROM (SELECT i FROM (
      ${some.map(({ group }, at) => valuesOf(group, at, first)).join('\nUNION ALL ')}
    ) GROUP BY i, a, b, c HAVING count(*) > 1)`;
    const { rows } = await engine.run(sql, { rows: some.length, ...(signal && { signal }) });
    const twice = new Set(rows.map(([at]) => Number(at)));
    return some.filter((_, at) => !twice.has(at)).map(({ group }) => group);
  });
}

/** As texts, so that all of them fit into the same columns. */
function valuesOf({ table, fields }: Together, at: number, first: number | undefined): string {
  const [a, b, c] = fields.map((name) => `${quoteName(name)}::VARCHAR`);
  const limit = first === undefined ? '' : ` LIMIT ${first}`;
  return `(SELECT ${at} AS i, ${a} AS a, ${b} AS b, ${c ?? 'NULL::VARCHAR'} AS c
    FROM ${quoteName(table.facts.table)}${limit})`;
}
