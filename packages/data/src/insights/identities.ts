import type { Cell } from '../model.ts';
import { type Found, quoted, rounded } from './finding.ts';
import { candidates, type Identity, LEAST_RECORDS, type Numbers } from './identity-candidates.ts';
import { source } from './source.ts';
import type { Column, Subject } from './subject.ts';

const SAMPLE = 200;
const LEAST_SHARE = 0.99;
const MOST_EXAMPLES = 3;

/** Fields that are computed from others; they explain correlations that would say nothing new. */
export async function identities(
  subject: Subject,
): Promise<{ readonly found: readonly Found[]; readonly identities: readonly Identity[] }> {
  const columns = subject.measures.filter(({ via }) => !via);
  if (columns.length < 2 || subject.category.rows < LEAST_RECORDS) {
    return { found: [], identities: [] };
  }
  const rows = await subject.ask(
    `SELECT * EXCLUDE (record) FROM (${source(subject, columns, { hasRecord: true })})
     ORDER BY hash(record, 7) LIMIT ${SAMPLE}`,
  );
  const values = columns.map((_, at): Numbers => rows.map((row) => numberOf(row[at])));
  const checked = await Promise.all(
    candidates(columns, values).map((identity) => check(subject, identity)),
  );
  const holding = checked.filter((one) => one !== undefined);
  return {
    found: holding
      .filter(({ identity: { result, operands } }) => subject.isWanted(result, ...operands))
      .map(({ found }) => found),
    identities: holding.map(({ identity }) => identity),
  };
}

function numberOf(cell: Cell | undefined): number | null {
  return cell === null || cell === undefined ? null : Number(cell);
}

async function check(
  subject: Subject,
  identity: Identity,
): Promise<{ readonly identity: Identity; readonly found: Found } | undefined> {
  const { result, operands, operator, tolerance } = identity;
  const sql = { '=': 'c1', '+': 'c1 + c2', '×': 'c1 * c2' }[operator];
  const columns = [result, ...operands];
  const complete = columns.map((_, at) => `c${at} IS NOT NULL`).join(' AND ');
  const [row] = await subject.ask(
    `SELECT count(*), count(*) FILTER (WHERE holds),
       list(record ORDER BY record) FILTER (WHERE NOT holds)[:${MOST_EXAMPLES}]
     FROM (SELECT record, abs(c0 - (${sql})) <= ${tolerance} + 1e-9 * abs(c0) AS holds
       FROM (${source(subject, columns, { hasRecord: true })}) WHERE ${complete})`,
  );
  const [of = 0, holds = 0] = (row ?? []).slice(0, 2).map(Number);
  if (of < LEAST_RECORDS || holds < of * LEAST_SHARE) return undefined;
  const exceptions = (row?.[2] ?? []) as readonly Cell[];
  const names = operands.map(({ name }) => name).join(` ${operator} `);
  const but =
    of > holds ? `, not in ${of - holds} such as record ${exceptions.map(quoted).join(', ')}` : '';
  return {
    identity,
    found: {
      finding: {
        kind: 'association',
        fields: columns.map(({ name }) => name),
        what: `${result.name} = ${names} in ${holds} of ${of} records${but}.`,
        numbers: { holds, of, share: rounded(holds / of), ...(of > holds && { exceptions }) },
        how: 'computed for all records, up to rounding',
      },
      strength: of > holds ? 0.85 : 0.7,
    },
  };
}

/** Whether two columns belong together because one is computed from the other. */
export function isExplained(all: readonly Identity[], a: Column, b: Column): boolean {
  return all.some(
    ({ result, operands }) =>
      (result === a && operands.includes(b)) || (result === b && operands.includes(a)),
  );
}
