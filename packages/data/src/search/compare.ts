import type { FieldType } from '../model.ts';
import type { Order, Test } from './condition.ts';
import { numberType, type Operand } from './operand.ts';
import { allOf, anyOf, bound, joined, plain, type Sql, sql } from './sql.ts';
import { folded, inJson, jsonWords, textOf } from './text-of.ts';
import type { Span } from './times.ts';

/** A value of the engine, and what it is. */
interface Compared {
  readonly value: Sql;
  readonly type: FieldType;
  /** Of this value: of an item, if it is one of a list. */
  readonly sqlType: string;
}

/** Whether one value passes a test. It may be unknown, which is not true. */
export function compare(compared: Compared, test: Test): Sql {
  switch (test.type) {
    case 'exists':
      return sql`(${compared.value} IS NOT NULL)`;
    case 'in':
      return equalsOne(compared, test.operands);
    case 'contains':
      return contains(compared, test.text);
    case 'regex': {
      const { value, type, sqlType } = compared;
      return sql`regexp_matches(${textOf(value, type, sqlType)}, ${bound(test.text)})`;
    }
    default:
      return inOrder(compared, test.type, test.operand);
  }
}

function contains({ value, type, sqlType }: Compared, text: string): Sql {
  const isJson = type === 'json';
  const within = isJson ? jsonWords(value) : textOf(value, type, sqlType);
  return sql`contains(${folded(within)}, ${folded(bound(isJson ? inJson(text) : text))})`;
}

function equalsOne(compared: Compared, operands: readonly Operand[]): Sql {
  // Values of one type are looked up together.
  const alike = new Map<string, { readonly left: Sql; readonly right: Sql[] }>();
  const spans: Sql[] = [];
  for (const operand of operands) {
    if (operand.kind === 'time' && !isDay(compared, operand.span)) {
      spans.push(within(compared, operand.span));
      continue;
    }
    const { left, right, type } = sidesOf(compared, operand);
    const group = alike.get(type) ?? { left, right: [] };
    group.right.push(right);
    alike.set(type, group);
  }
  const groups = [...alike.values()].map(({ left, right }) =>
    right.length === 1
      ? sql`${left} = ${joined(right, '')}`
      : sql`${left} IN (${joined(right, ', ')})`,
  );
  return anyOf([...groups, ...spans]);
}

/** A day of a date needs no range. */
function isDay({ type }: Compared, { from, until }: Span): boolean {
  if (type !== 'date' || until === undefined) return false;
  return Date.parse(until) - Date.parse(from) === 24 * 60 * 60 * 1000;
}

function within({ value, type }: Compared, { from, until }: Span): Sql {
  const time = timeType(type, until);
  if (until === undefined) return sql`${value} = ${bound(from, time)}`;
  return allOf([sql`${value} >= ${bound(from, time)}`, sql`${value} < ${bound(until, time)}`]);
}

/** A date compares with a point in time as its midnight. */
function timeType(type: FieldType, until: string | undefined): string {
  return type === 'date' && until !== undefined ? 'DATE' : 'TIMESTAMP';
}

const SIGNS: { readonly [order in Order]: Sql } = {
  gt: plain('>'),
  gte: plain('>='),
  lt: plain('<'),
  lte: plain('<='),
};

function inOrder(compared: Compared, order: Order, operand: Operand): Sql {
  if (operand.kind !== 'time' || operand.span.until === undefined) {
    const { left, right } = sidesOf(compared, operand);
    return sql`${left} ${SIGNS[order]} ${right}`;
  }
  const { from, until } = operand.span;
  const time = timeType(compared.type, until);
  // After a span is from its end on, and until its end is before that.
  const sign = order === 'gt' || order === 'gte' ? SIGNS.gte : SIGNS.lt;
  const edge = order === 'gt' || order === 'lte' ? until : from;
  return sql`${compared.value} ${sign} ${bound(edge, time)}`;
}

interface Sides {
  readonly left: Sql;
  readonly right: Sql;
  /** Of the right side. */
  readonly type: string;
}

function sidesOf(compared: Compared, operand: Operand): Sides {
  const { value, type, sqlType } = compared;
  switch (operand.kind) {
    case 'number': {
      const isJson = type === 'json';
      const column = numberType(isJson ? 'DOUBLE' : sqlType, operand.text);
      return sides(isJson ? jsonNumber(value) : value, operand.text, column);
    }
    case 'boolean':
      return sides(type === 'json' ? jsonBoolean(value) : value, operand.text, 'BOOLEAN');
    case 'time':
      return sides(value, operand.span.from, timeType(type, operand.span.until));
    default:
      return sides(
        type === 'json' ? jsonString(value) : textOf(value, type, sqlType),
        operand.text,
      );
  }
}

function sides(left: Sql, text: string, type = 'VARCHAR'): Sides {
  return { left, right: bound(text, type), type };
}

function jsonString(value: Sql): Sql {
  return sql`CASE WHEN json_type(${value}) = 'VARCHAR' THEN json_extract_string(${value}, '$') END`;
}

function jsonNumber(value: Sql): Sql {
  return sql`CASE WHEN json_type(${value}) IN ('BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE') THEN TRY_CAST(${value} AS DOUBLE) END`;
}

function jsonBoolean(value: Sql): Sql {
  return sql`CASE WHEN json_type(${value}) = 'BOOLEAN' THEN TRY_CAST(${value} AS BOOLEAN) END`;
}
