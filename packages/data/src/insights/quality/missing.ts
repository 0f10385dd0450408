import type { Cell } from '../../model.ts';
import { count, type Found, percent, pValue, quoted, rounded } from '../finding.ts';
import { source } from '../source.ts';
import { cramersV, holm } from '../statistics.ts';
import type { Column, Subject } from '../subject.ts';

const MOST_FIELDS = 6;
const LEAST_V = 0.5;
const LEAST_P = 0.001;
/** Fewer missing values go together with anything by accident. */
const LEAST_MISSING = 5;

/** How often a field is missing among the records with one value of another. */
interface Place {
  readonly value: Cell;
  readonly records: number;
  readonly missing: number;
}

interface Together {
  readonly column: Column;
  readonly group: Column;
  readonly places: readonly Place[];
  readonly v: number;
  readonly p: number;
}

/** Fields without a value, and where. */
export async function missingValues(subject: Subject): Promise<readonly Found[]> {
  const { rows } = subject.category;
  const columns = subject.own
    .filter((column) => column.field.missing > 0 && subject.isWanted(column))
    .filter(({ name }) => !leadsUp(subject, name))
    .toSorted((a, b) => b.field.missing - a.field.missing)
    .slice(0, MOST_FIELDS);
  const explained = await explanations(
    subject,
    columns.filter(({ field: { missing } }) => missing >= LEAST_MISSING && missing < rows),
  );
  return columns.map((column) => {
    const found = explained.get(column);
    return found ? explainedFinding(rows, found) : plainFinding(rows, column);
  });
}

/** Whoever is at the top has nobody above. */
function leadsUp({ catalogue, category }: Subject, field: string): boolean {
  return catalogue.relations.some(
    (one) => one.from === category.id && one.to === category.id && one.field === field,
  );
}

function plainFinding(rows: number, { name, field }: Column): Found {
  const { missing, isRequired } = field;
  const share = missing / rows;
  const all = missing === rows ? `No record has a value of ${name}` : undefined;
  const some = `${count(missing, 'record')} (${percent(share)}) ${missing === 1 ? 'has' : 'have'} no ${name}`;
  return {
    finding: {
      kind: 'quality',
      fields: [name],
      what: `${all ?? some}${isRequired ? ', which is required' : ''}.`,
      numbers: { missing, rows, share: rounded(share) },
      how: 'counted',
    },
    strength: isRequired ? 0.9 : 0.25 + 0.3 * share,
  };
}

function explainedFinding(rows: number, { column, group, places, v, p }: Together): Found {
  const { name, field } = column;
  const worst = places.reduce((a, b) =>
    b.missing / b.records > a.missing / a.records ||
    (b.missing / b.records === a.missing / a.records && b.records > a.records)
      ? b
      : a,
  );
  const elsewhere = { missing: field.missing - worst.missing, records: rows - worst.records };
  const where = worst.value === null ? `no ${group.name}` : `${group.name} ${quoted(worst.value)}`;
  return {
    finding: {
      kind: 'quality',
      fields: [name, group.name],
      what: `${name} is missing in ${worst.missing} of ${worst.records} records with ${where}, elsewhere in ${elsewhere.missing} of ${elsewhere.records}.`,
      numbers: {
        missing: field.missing,
        rows,
        share: rounded(field.missing / rows),
        where: worst.value,
        missingThere: worst.missing,
        recordsThere: worst.records,
        missingElsewhere: elsewhere.missing,
        recordsElsewhere: elsewhere.records,
        cramersV: rounded(v),
        p: pValue(p),
      },
      how: "counted; bias-corrected Cramér's V of being missing",
    },
    strength: 0.5 + 0.3 * v,
  };
}

/** The field whose values tell best where another one is missing. */
async function explanations(
  subject: Subject,
  columns: readonly Column[],
): Promise<ReadonlyMap<Column, Together>> {
  if (columns.length === 0) return new Map();
  const tested = (
    await Promise.all(subject.groups.map((group) => testsOf(subject, columns, group)))
  ).flat();
  const adjusted = holm(tested.map(({ p }) => p));
  const best = new Map<Column, Together>();
  for (const [at, test] of tested.entries()) {
    if ((adjusted[at] ?? 1) >= LEAST_P || test.v < LEAST_V) continue;
    if (test.v > (best.get(test.column)?.v ?? 0)) best.set(test.column, test);
  }
  return best;
}

async function testsOf(
  subject: Subject,
  columns: readonly Column[],
  group: Column,
): Promise<readonly Together[]> {
  // A reference that is missing has no related values either.
  const others = columns.filter(({ name }) => name !== group.name && name !== group.via?.field);
  if (others.length === 0) return [];
  const missing = others.map((_, at) => `count(*) - count(c${at + 1})`);
  const rows = await subject.ask(
    `SELECT c0, count(*), ${missing.join(', ')} FROM (${source(subject, [group, ...others])})
     GROUP BY c0 ORDER BY c0`,
  );
  return others.map((column, at) => {
    const places = rows.map(
      ([value, records, ...counts]): Place => ({
        value: value ?? null,
        records: Number(records),
        missing: Number(counts[at]),
      }),
    );
    const table = places.map((place) => [place.missing, place.records - place.missing]);
    return { column, group, places, ...cramersV(table) };
  });
}
