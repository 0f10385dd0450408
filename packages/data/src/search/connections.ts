import type { Catalogue, Category } from '../model.ts';
import type { Ask } from './ask.ts';
import type { Condition } from './condition.ts';
import { columnOf, conditionSql, idText, RECORD } from './condition-sql.ts';
import { type Hop, hopsFrom, reversed } from './hops.ts';
import { keyOf, labelsOf } from './record.ts';
import type { Connection } from './request.ts';
import { nameOfHop } from './resolve.ts';
import { joined, plain, type Sql, sql } from './sql.ts';
import { tableOf } from './step-sql.ts';

const MOST_RECORDS = 5;
const LONGEST_NAME = 80;

/** What the records that a condition names lead to, and what leads to them. */
export async function connectionsOf(
  ask: Ask,
  catalogue: Catalogue,
  category: Category,
  record: Condition,
): Promise<readonly Connection[]> {
  const hops = hopsFrom(catalogue, category);
  const connections: Connection[] = [];
  for (const hop of hops.filter((one) => !isHalfOfLink(one, hops))) {
    const rows = await ask(connectedSql(hop, record));
    connections.push({
      name: nameOfHop(catalogue, category, hop),
      category: hop.target.id,
      count: Number(rows[0]?.[0] ?? 0),
      records: rows.map(([, id, label]) => ({
        ...(typeof id === 'string' && { id }),
        ...(typeof label === 'string' && { label }),
      })),
    });
  }
  return connections;
}

/** What is beyond a link is told in place of the link. */
function isHalfOfLink(hop: Hop, hops: readonly Hop[]): boolean {
  return (
    hop.isIntoLink &&
    hops.some(({ steps }) => steps.length > 1 && steps[0]?.to.category === hop.target)
  );
}

function connectedSql(hop: Hop, record: Condition): Sql {
  const { target } = hop;
  const back: Condition = { type: 'hop', hop: { ...hop, steps: reversed(hop) }, of: record };
  const key = keyOf(target);
  const [label] = labelsOf(target);
  const id = key.length > 0 ? cut(idText(key, RECORD)) : plain('NULL');
  const name = label ? cut(idText([label], RECORD)) : plain('NULL');
  // By their keys: their order in the file would take far longer to find.
  const order = [...key.map((field) => columnOf(RECORD, field)), name];
  return sql`SELECT count(*) OVER (), ${id}, ${name} FROM ${tableOf(target)} AS ${RECORD} WHERE ${conditionSql(back)} ORDER BY ${joined(order, ', ')} LIMIT ${plain(MOST_RECORDS)}`;
}

function cut(text: Sql): Sql {
  const most = plain(LONGEST_NAME);
  return sql`CASE WHEN length(${text}) > ${most} THEN left(${text}, ${most}) || '…' ELSE ${text} END`;
}
