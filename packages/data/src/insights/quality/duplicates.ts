import { quoteName } from '../../engine/engine.ts';
import type { Cell } from '../../model.ts';
import { count, type Found, quoted } from '../finding.ts';
import type { Column, Subject } from '../subject.ts';

const MOST_EXAMPLES = 3;
/** So many times more than would be alike by accident. */
const FAR_MORE = 5;
/** Even if everything is there twice. */
const NEARLY_HALF = 0.45;

/** Keys that occur twice, and records that are equal but for their keys. */
export async function duplicates(subject: Subject): Promise<readonly Found[]> {
  const both = await Promise.all([duplicateKeys(subject), duplicateRecords(subject)]);
  return both.flat();
}

async function duplicateKeys({ category, own, ask, isWanted }: Subject): Promise<Found[]> {
  const key = own.filter(({ name }) => category.key.includes(name));
  if (key.length === 0 || !isWanted(...key) || key.some(({ field }) => field.isUnique)) return [];
  const names = key.map(({ name }) => quoteName(name));
  const [found] = await ask(
    `SELECT count(*), sum(n), list(record ORDER BY n DESC, record)[:${MOST_EXAMPLES}] FROM (
       SELECT ${recordSql(category.key)} AS record, count(*) AS n
       FROM ${quoteName(category.table)} WHERE ${names.map((name) => `${name} IS NOT NULL`).join(' AND ')}
       GROUP BY ${names.join(', ')} HAVING count(*) > 1)`,
  );
  const [keys, records] = [Number(found?.[0] ?? 0), Number(found?.[1] ?? 0)];
  if (keys === 0) return [];
  const examples = (found?.[2] ?? []) as readonly Cell[];
  return [
    {
      finding: {
        kind: 'quality',
        fields: key.map(({ name }) => name),
        what: `${count(keys, 'key')} ${keys === 1 ? 'occurs' : 'occur'} more than once, in ${records} records: ${examples.map(quoted).join(', ')}.`,
        numbers: { keys, records, examples },
        how: 'grouped by the key',
      },
      strength: 0.95,
    },
  ];
}

async function duplicateRecords({ category, own, ask, isWanted }: Subject): Promise<Found[]> {
  const { key, rows, table } = category;
  const others = own.filter(({ name, role }) => !key.includes(name) && role !== 'id');
  // A key of several fields, such as order and line, says something about the record itself.
  if (key.length > 1 || others.length < 2 || !isWanted(...own)) return [];
  if (!couldTell(others, rows)) return [];
  const names = others.map(({ name }) => quoteName(name));
  const [found] = await ask(
    `SELECT count(*), sum(n), list([one, other] ORDER BY n DESC, one)[:${MOST_EXAMPLES}] FROM (
       SELECT count(*) AS n, min(record) AS one, max(record) AS other FROM (
         SELECT ${recordSql(key)} AS record, hash(${names.join(', ')}) AS same FROM ${quoteName(table)})
       GROUP BY same HAVING count(*) > 1)`,
  );
  const [groups, records] = [Number(found?.[0] ?? 0), Number(found?.[1] ?? 0)];
  const extra = records - groups;
  if (extra <= FAR_MORE * byAccident(others, rows)) return [];
  const examples = (found?.[2] ?? []) as readonly (readonly Cell[])[];
  const first = (examples[0] ?? []).map(quoted).join(' and ');
  return [
    {
      finding: {
        kind: 'quality',
        fields: own.filter(({ name }) => key.includes(name)).map(({ name }) => name),
        what: `${records} records are equal to another one${key.length > 0 ? ' but for their keys' : ''}: ${key.length > 0 ? '' : 'records '}${first}${groups > 1 ? ' …' : ''}.`,
        numbers: { records, groups, extra, examples },
        how: `compared in all of ${count(others.length, 'other field')}`,
      },
      strength: 0.85,
    },
  ];
}

function recordSql(key: readonly string[]): string {
  const [first, ...others] = key.map(quoteName);
  if (first === undefined) return 'row_number() OVER ()';
  return others.length === 0 ? first : `concat_ws('/', ${[first, ...others].join(', ')})`;
}

/** Records without a field that tells them apart, or nearly so, are alike because of that. */
function couldTell(columns: readonly Column[], rows: number): boolean {
  return (
    columns.every(({ field }) => !field.isUnique) &&
    columns.some(({ field }) => field.distinct >= NEARLY_HALF * rows) &&
    byAccident(columns, rows) < rows / 20
  );
}

/** How many records about would be equal to another if all values were mixed. */
function byAccident(columns: readonly Column[], rows: number): number {
  const different = columns.reduce(
    (product, { field }) => product * Math.max(1, field.distinct),
    1,
  );
  return (rows * (rows - 1)) / 2 / different;
}
