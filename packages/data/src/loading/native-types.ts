import { quoteName } from '../engine/engine.ts';
import type { FieldType } from '../model.ts';
import type { RawColumn } from './staged.ts';
import type { TypedColumn } from './typing.ts';

/** How columns of a Parquet file are kept, by the engine's names of their types. */
const RULES: readonly (readonly [RegExp, FieldType, (column: string) => string])[] = [
  [/^VARCHAR$/, 'text', (column) => column],
  [/^(?:TINYINT|SMALLINT|INTEGER|UTINYINT|USMALLINT|UINTEGER|BIGINT)$/, 'integer', cast('BIGINT')],
  [/^(?:FLOAT|DOUBLE)$/, 'number', cast('DOUBLE')],
  [/^DECIMAL/, 'number', (column) => column],
  [/^BOOLEAN$/, 'boolean', (column) => column],
  [/^DATE$/, 'date', (column) => column],
  [/^TIMESTAMP WITH TIME ZONE$/, 'timestamp', (column) => `${column} AT TIME ZONE 'UTC'`],
  [/^TIMESTAMP/, 'timestamp', cast('TIMESTAMP')],
  [/^BLOB$/, 'binary', (column) => column],
  [
    /^(?:TINYINT|SMALLINT|INTEGER|UTINYINT|USMALLINT|UINTEGER|BIGINT)\[\d*\]$/,
    'list',
    cast('BIGINT[]'),
  ],
  [/^(?:FLOAT|DOUBLE|DECIMAL\(\d+,\s*\d+\))\[\d*\]$/, 'list', cast('DOUBLE[]')],
  [/^BOOLEAN\[\d*\]$/, 'list', cast('BOOLEAN[]')],
  [/^(?:VARCHAR|UUID|DATE)\[\d*\]$/, 'list', cast('VARCHAR[]')],
  [/^(?:STRUCT|MAP|UNION|JSON|VARIANT)|\[\d*\]$/, 'json', (column) => `to_json(${column})`],
];

/** What the file says itself is not questioned. */
export function nativeColumn({ name, sqlType = '' }: RawColumn): TypedColumn {
  const column = quoteName(name);
  const rule = RULES.find(([pattern]) => pattern.test(sqlType));
  // Integers beyond 64 bits, UUIDs, times of day and the like: nothing is lost in a text.
  if (!rule) return { name, type: 'text', value: `CAST(${column} AS VARCHAR)`, notes: [] };
  const [, type, value] = rule;
  return { name, type, value: value(column), notes: [] };
}

function cast(type: string): (column: string) => string {
  return (column) => `CAST(${column} AS ${type})`;
}
