import { BatonError } from '@baton/core';
import type { Category, Field } from '../model.ts';
import { shownName } from '../query/near-names.ts';
import type { Ask } from './ask.ts';
import type { Condition } from './condition.ts';
import { conditionSql, idText, RECORD } from './condition-sql.ts';
import { nearValues } from './near-values.ts';
import { readOperand } from './operand.ts';
import { countSql } from './page.ts';
import { plain, type Sql, sql } from './sql.ts';
import { tableOf } from './step-sql.ts';

const MOST_NAMED = 10;

export function keyOf({ key, fields }: Category): readonly Field[] {
  return key.flatMap((name) => fields.find((field) => field.name === name) ?? []);
}

export function labelsOf({ labels, fields }: Category): readonly Field[] {
  return labels.flatMap((name) => fields.find((field) => field.name === name) ?? []);
}

/** The record with this key, or else the only one with this label. */
export async function recordCondition(
  ask: Ask,
  category: Category,
  id: string,
): Promise<Condition> {
  const key = keyOf(category);
  const labels = labelsOf(category).map((label) => [label]);
  if (key.length + labels.length === 0) throw unnamed(category);
  const byKey = key.length > 0 ? conditionOf(key, id) : undefined;
  if (byKey && (await count(ask, category, byKey)) > 0) return byKey;
  for (const label of labels) {
    const byLabel = conditionOf(label, id);
    const found = byLabel ? await count(ask, category, byLabel) : 0;
    if (byLabel && found === 1) return byLabel;
    if (byLabel && found > 1) throw await ambiguous(ask, category, id, byLabel);
  }
  throw await unknown(ask, category, id, key.length > 0 ? [key, ...labels] : labels);
}

async function count(ask: Ask, category: Category, condition: Condition): Promise<number> {
  const [row] = await ask(countSql(category, condition));
  return Number(row?.[0] ?? 0);
}

/** Nothing if no record can have it. */
function conditionOf(fields: readonly Field[], id: string): Condition | undefined {
  const [field, ...others] = fields;
  const isPlain = field && ['text', 'integer', 'number'].includes(field.type);
  if (!isPlain || others.length > 0) return { type: 'id', fields, id };
  // A value by its type is found faster than by its text.
  const operand = readOperand(field.type, id);
  return operand && { type: 'test', at: { field }, test: { type: 'in', operands: [operand] } };
}

async function ambiguous(
  ask: Ask,
  category: Category,
  id: string,
  condition: Condition,
): Promise<BatonError> {
  const key = keyOf(category);
  const shown = key.length > 0 ? idText(key, RECORD) : plain('NULL');
  const rows = await ask(
    sql`SELECT ${shown} FROM ${tableOf(category)} AS ${RECORD} WHERE ${conditionSql(condition)} LIMIT ${plain(MOST_NAMED)}`,
  );
  const ids = rows.flatMap(([one]) => (one === null || one === undefined ? [] : String(one)));
  return new BatonError(
    'data_record_unknown',
    `Several records of ${category.id} are called ${shownName(id)}.`,
    ids.length > 0
      ? `Take one of their ids: ${ids.map(shownName).join(', ')}.`
      : 'Take filters in place of the id.',
  );
}

async function unknown(
  ask: Ask,
  category: Category,
  id: string,
  ways: readonly (readonly Field[])[],
): Promise<BatonError> {
  const table = tableOf(category);
  const columns = ways.map((fields): { table: Sql; value: Sql } => ({
    table,
    value: idText(fields, RECORD),
  }));
  const near = await nearValues(ask, columns, id);
  return new BatonError(
    'data_record_unknown',
    `${category.id} has no record ${shownName(id)}.`,
    near.length > 0
      ? `Did you mean ${near.map(shownName).join(' or ')}?`
      : 'Look for it with text or filters in place of the id.',
  );
}

function unnamed({ id }: Category): BatonError {
  return new BatonError(
    'data_record_unknown',
    `Records of ${id} have neither a key nor labels.`,
    'Take filters in place of the id.',
  );
}
