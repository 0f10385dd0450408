import { wordsOf } from '../../names.ts';
import { count, type Found, quoted, rounded } from '../finding.ts';
import { source } from '../source.ts';
import type { Column, Subject } from '../subject.ts';

const MOST_EXAMPLES = 3;
/** If more lie in the future, that is what the field is for. */
const MOST_FUTURE = 0.05;
const EARLIEST = '1900-01-01';
/** Of names whose dates are expected to come. */
const COMING = new Set(
  `deadline due end ends estimated eta expected expiration expires expiry forecast launch next
   planned renewal review scheduled target to until valid`.split(/\s+/),
);
/** In fewer records nothing varies yet. */
const LEAST_ROWS = 10;
const LEAST_CODES = 10;
const NEARLY_UNIQUE = 0.9;

/** Fields that say the same of every record, in one finding. */
export function constantFields({ category, own, isWanted }: Subject): readonly Found[] {
  const { rows } = category;
  const constant = own.filter(
    ({ field, ...column }) =>
      field.distinct === 1 && field.missing === 0 && isWanted({ field, ...column }),
  );
  if (constant.length === 0 || rows < LEAST_ROWS) return [];
  const values = constant.map(({ name, field }) => [
    name,
    field.top[0]?.value ?? field.min ?? null,
  ]);
  const shown = values.slice(0, MOST_EXAMPLES).map(([name, value]) => `${name} ${quoted(value)}`);
  return [
    {
      finding: {
        kind: 'quality',
        fields: constant.map(({ name }) => name),
        what: `All ${rows} records have the same ${shown.join(', ')}${values.length > shown.length ? ' …' : ''}.`,
        numbers: { rows, values: Object.fromEntries(values.slice(0, 2 * MOST_EXAMPLES)) },
        how: 'counted',
      },
      strength: 0.15,
    },
  ];
}

/** Dates that cannot be right. */
export async function strangeDates(subject: Subject, today: string): Promise<readonly Found[]> {
  const columns = subject.own.filter(
    (column) =>
      column.role === 'date' &&
      column.field.missing < subject.category.rows &&
      subject.isWanted(column),
  );
  const found = await Promise.all(
    columns.map(async (column) => [
      ...(await datesBeyond(subject, column, `c0::DATE < ?::DATE`, EARLIEST)),
      ...(wordsOf(column.name).some((word) => COMING.has(word))
        ? []
        : await datesBeyond(subject, column, `c0::DATE > ?::DATE`, today)),
    ]),
  );
  return found.flat();
}

async function datesBeyond(
  subject: Subject,
  column: Column,
  condition: string,
  bound: string,
): Promise<Found[]> {
  const isFuture = bound !== EARLIEST;
  const order = isFuture ? 'c0 DESC' : 'c0';
  const [row] = await subject.ask(
    `SELECT count(*), min(c0), max(c0), list({'d': c0::VARCHAR, 'r': record} ORDER BY ${order}, record)[:${MOST_EXAMPLES}]
     FROM (${source(subject, [column], { hasRecord: true })}) WHERE ${condition}`,
    [bound],
  );
  const beyond = Number(row?.[0] ?? 0);
  const filled = subject.category.rows - column.field.missing;
  if (beyond === 0 || (isFuture && beyond > Math.max(1, filled * MOST_FUTURE))) return [];
  const extreme = (isFuture ? row?.[2] : row?.[1]) ?? null;
  const records = ((row?.[3] ?? []) as unknown as readonly { r: string | number }[]).map(
    ({ r }) => r,
  );
  const what = isFuture
    ? `${count(beyond, 'value')} of ${column.name} ${beyond === 1 ? 'lies' : 'lie'} in the future`
    : `${count(beyond, 'value')} of ${column.name} ${beyond === 1 ? 'is' : 'are'} before 1900`;
  return [
    {
      finding: {
        kind: 'quality',
        fields: [column.name],
        what: `${what}, up to ${quoted(extreme)}.`,
        numbers: { values: beyond, of: filled, extreme, records },
        how: `compared with ${bound}`,
      },
      strength: 0.7,
    },
  ];
}

/** Codes that nearly all differ, and some do not. */
export async function repeatedCodes(subject: Subject): Promise<readonly Found[]> {
  const { category } = subject;
  const columns = subject.own.filter((column) => {
    const { field, role, name } = column;
    const filled = category.rows - field.missing;
    return (
      role === 'code' &&
      !category.key.includes(name) &&
      !field.isUnique &&
      filled >= LEAST_CODES &&
      field.distinct >= filled * NEARLY_UNIQUE &&
      subject.isWanted(column)
    );
  });
  const found = await Promise.all(columns.map((column) => repeatedCodesOf(subject, column)));
  return found.flat();
}

async function repeatedCodesOf(subject: Subject, column: Column): Promise<Found[]> {
  const [row] = await subject.ask(
    `WITH s AS (${source(subject, [column])})
     SELECT (SELECT count(DISTINCT c0) FROM s), count(*), sum(n),
       list(v ORDER BY n DESC, v)[:${MOST_EXAMPLES}]
     FROM (SELECT c0 AS v, count(*) AS n FROM s WHERE c0 IS NOT NULL GROUP BY 1 HAVING count(*) > 1)`,
  );
  const [distinct = 0, values = 0, records = 0] = (row ?? []).slice(0, 3).map(Number);
  const filled = subject.category.rows - column.field.missing;
  if (values === 0 || distinct < filled * NEARLY_UNIQUE) return [];
  const examples = (row?.[3] ?? []) as readonly string[];
  return [
    {
      finding: {
        kind: 'quality',
        fields: [column.name],
        what: `${column.name} differs in nearly all records, but ${count(values, 'value')} ${values === 1 ? 'occurs' : 'occur'} in ${records}: ${examples.map(quoted).join(', ')}.`,
        numbers: { values, records, distinct, share: rounded(distinct / filled), examples },
        how: 'grouped by value',
      },
      strength: 0.7,
    },
  ];
}
