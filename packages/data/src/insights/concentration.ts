import { type Found, percent, quoted, rounded } from './finding.ts';
import { isAdditive } from './roles.ts';
import { source } from './source.ts';
import type { Column, Subject } from './subject.ts';

const MOST_DISTINCT = 50_000;
const MOST_FIELDS = 12;
const MOST_MEASURES = 5;
/** Of more values a few can be said to hold most. */
const LEAST_VALUES = 10;
const FEW = 0.2;
const MOST_RECORDS = 0.6;
const NEARLY_ALL = 0.9;
const HALF = 0.5;
const MORE_THAN_RECORDS = 0.05;
const LEAST_ROWS = 20;
const MOST_EXAMPLES = 3;

/** What a few values hold most of. */
export async function concentration(subject: Subject): Promise<readonly Found[]> {
  const { own, category, isWanted } = subject;
  if (category.rows < LEAST_ROWS) return [];
  const columns = own.filter(
    ({ role, field }) =>
      ['group', 'reference', 'text', 'code'].includes(role) &&
      field.type !== 'list' &&
      field.distinct > 1 &&
      field.distinct <= Math.min(MOST_DISTINCT, category.rows / 2),
  );
  const ofRecords = columns.filter((column) => isWanted(column)).slice(0, MOST_FIELDS);
  const measures = own
    .filter(({ role, field }) => role === 'measure' && isAdditive(field))
    .slice(0, MOST_MEASURES);
  const holders = columns.filter(({ field }) => field.distinct >= LEAST_VALUES);
  const found = await Promise.all([
    ...ofRecords.map((column) => topValues(subject, column)),
    ...measures.map((measure) => topOfSum(subject, measure, holders)),
  ]);
  return found.flat();
}

interface Ranked {
  readonly v: string;
  readonly n: number;
}

async function topValues(subject: Subject, column: Column): Promise<readonly Found[]> {
  const [row] = await subject.ask(
    `WITH v AS (SELECT c0 AS v, count(*) AS n FROM (${source(subject, [column])})
         WHERE c0 IS NOT NULL GROUP BY 1),
       r AS (SELECT *, row_number() OVER w AS k, sum(n) OVER w AS upTo FROM v
         WINDOW w AS (ORDER BY n DESC, v ROWS UNBOUNDED PRECEDING)),
       t AS (SELECT sum(n) AS n, count(*) AS values FROM v)
     SELECT any_value(t.values), any_value(t.n), min(k) FILTER (WHERE upTo >= ${MOST_RECORDS} * t.n),
       min(upTo) FILTER (WHERE upTo >= ${MOST_RECORDS} * t.n),
       list({'v': v, 'n': r.n} ORDER BY k) FILTER (WHERE k <= ${MOST_EXAMPLES})
     FROM r, t`,
  );
  const [values = 0, of = 0, few = 0, records = 0] = (row ?? []).slice(0, 4).map(Number);
  const top = (row?.[4] ?? []) as unknown as readonly Ranked[];
  const first = top[0]?.n ?? 0;
  const isLopsided = first >= NEARLY_ALL * of;
  if (values < 2 || (!isLopsided && (values < LEAST_VALUES || few > FEW * values))) return [];
  const { name } = column;
  const examples = top.map(({ v, n }) => ({ value: v, records: n }));
  const held = isLopsided ? first : records;
  const share = held / of;
  const listed = top.slice(0, few).map(({ v, n }) => `${quoted(v)} (${n})`);
  return [
    {
      finding: {
        kind: 'distribution',
        fields: [name],
        what: isLopsided
          ? `${percent(share)} of the records have ${name} ${quoted(top[0]?.v)}, ${of - first} have another.`
          : `${few} of ${values} values of ${name} make up ${percent(share)} of the records: ${listed.join(', ')}${few > listed.length ? ' …' : ''}.`,
        numbers: {
          top: isLopsided ? 1 : few,
          values,
          records: held,
          of,
          share: rounded(share),
          examples,
        },
        how: 'counted',
      },
      strength: isLopsided ? 0.3 : 0.3 + 0.3 * share,
    },
  ];
}

/** By which field a few values hold the most of a sum. */
async function topOfSum(
  subject: Subject,
  measure: Column,
  holders: readonly Column[],
): Promise<readonly Found[]> {
  const wanted = holders.filter((holder) => subject.isWanted(measure, holder));
  const all = (
    await Promise.all(wanted.map((holder) => holdingsOf(subject, measure, holder)))
  ).flat();
  return all.toSorted((a, b) => b.strength - a.strength).slice(0, 1);
}

async function holdingsOf(
  subject: Subject,
  measure: Column,
  holder: Column,
): Promise<readonly Found[]> {
  const [row] = await subject.ask(
    `WITH v AS (SELECT c0 AS v, sum(c1) AS n, count(*) AS records
         FROM (${source(subject, [holder, measure])})
         WHERE c0 IS NOT NULL AND c1 IS NOT NULL GROUP BY 1),
       t AS (SELECT sum(n) AS n, sum(records) AS records, count(*) AS values,
         ceil(${FEW} * count(*)) AS few FROM v),
       r AS (SELECT *, row_number() OVER (ORDER BY n DESC, v) AS k,
         row_number() OVER (ORDER BY records DESC, v) AS byRecords FROM v)
     SELECT any_value(t.values), any_value(t.few), any_value(t.n), sum(r.n) FILTER (WHERE k <= few),
       sum(r.records) FILTER (WHERE byRecords <= few) / any_value(t.records),
       list({'v': v, 'n': r.n} ORDER BY k) FILTER (WHERE k <= ${MOST_EXAMPLES})
     FROM r, t`,
  );
  const [values = 0, top = 0, total = 0, held = 0, shareOfRecords = 0] = (row ?? [])
    .slice(0, 5)
    .map(Number);
  // Whoever has the most records has the most of everything.
  if (held < Math.max(HALF, shareOfRecords + MORE_THAN_RECORDS) * total) return [];
  if (values < LEAST_VALUES || total <= 0) return [];
  const share = held / total;
  const examples = ((row?.[5] ?? []) as unknown as readonly Ranked[]).map(({ v, n }) => ({
    value: v,
    sum: rounded(n),
  }));
  return [
    {
      finding: {
        kind: 'distribution',
        fields: [measure.name, holder.name],
        what: `${top} of ${values} values of ${holder.name} make up ${percent(share)} of the sum of ${measure.name}, ${quoted(examples[0]?.value)} the most.`,
        numbers: {
          top,
          values,
          sum: rounded(held),
          total: rounded(total),
          share: rounded(share),
          examples,
        },
        how: `the largest fifth of the sums by ${holder.name}`,
      },
      strength: 0.35 + 0.3 * share,
    },
  ];
}
