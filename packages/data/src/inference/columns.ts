import { quoteName } from '../engine/engine.ts';
import type { Field } from '../model.ts';

export interface Column {
  readonly table: { readonly table: string; readonly rows: number };
  readonly field: Field;
}

/**
 * A query for the values `v` of columns, each with its number `n`, as one type. A table is read
 * once, however many of its columns are wanted.
 */
export function valuesOf(columns: readonly Column[], type: string): string {
  const byTable = new Map<string, { n: number; column: Column }[]>();
  for (const [n, column] of columns.entries()) {
    // Lists have items of their own.
    const key = column.field.type === 'list' ? `${n}[]` : `${column.table.table}.`;
    byTable.set(key, [...(byTable.get(key) ?? []), { n, column }]);
  }
  return [...byTable.values()].map((those) => selectOf(those, type)).join('\nUNION ALL ');
}

function selectOf(those: readonly { n: number; column: Column }[], type: string): string {
  const [first, ...others] = those;
  if (!first) return '';
  const { table, field } = first.column;
  const from = `FROM ${quoteName(table.table)}`;
  if (field.type === 'list')
    return `SELECT ${first.n} AS n, unnest(${as(field, type)}) AS v ${from}`;
  if (others.length === 0) return `SELECT ${first.n} AS n, ${as(field, type)} AS v ${from}`;
  const numbers = those.map(({ n }) => n);
  const values = those.map(({ column }) => as(column.field, type));
  return `SELECT unnest([${numbers.join(', ')}]) AS n, unnest([${values.join(', ')}]) AS v ${from}`;
}

function as(field: Field, type: string): string {
  const column = quoteName(field.name);
  if (field.sqlType.replace(/\[\]$/, '') === type) return column;
  return `${column}::${type}${field.type === 'list' ? '[]' : ''}`;
}

/** Of its values, or of the items of its lists. */
export function itemType({ type, sqlType }: Field): string {
  // Files may have narrower integers than others.
  return type === 'integer' ? 'BIGINT' : sqlType.replace(/\[\]$/, '');
}
