import type { Field, FieldType } from '../model.ts';
import { plain, type Sql, sql } from './sql.ts';

/** Without case and accents. */
export function folded(text: Sql): Sql {
  return sql`strip_accents(lower(${text}))`;
}

/** A value as a text, written as answers write it. */
export function textOf(value: Sql, type: FieldType, sqlType: string): Sql {
  switch (type) {
    case 'text':
      return value;
    case 'number':
      return sqlType.startsWith('DECIMAL')
        ? decimalText(value, sqlType)
        : sql`regexp_replace(CAST(${value} AS VARCHAR), '\\.0$', '')`;
    case 'timestamp':
      return sql`replace(CAST(${value} AS VARCHAR), ' ', 'T')`;
    case 'binary':
      return sql`('\\x' || lower(hex(${value})))`;
    case 'json':
      return jsonText(value);
    default:
      return sql`CAST(${value} AS VARCHAR)`;
  }
}

/** Text, number or boolean within JSON. */
function jsonText(value: Sql): Sql {
  return sql`CASE WHEN json_type(${value}) NOT IN ('OBJECT', 'ARRAY', 'NULL') THEN json_extract_string(${value}, '$') END`;
}

function decimalText(value: Sql, sqlType: string): Sql {
  const text = sql`CAST(${value} AS VARCHAR)`;
  return /,\s*0\)$/.test(sqlType) ? text : sql`rtrim(rtrim(${text}, '0'), '.')`;
}

/** Characters of numbers and times: what has others need not be looked for in them. */
const LIKE_A_NUMBER = /^[\d.:+et-]+$/i;

/** A column as the text that a word is looked for in. Some are not for people to read. */
export function wordsOf(column: Sql, { type, sqlType }: Field, word: string): Sql | undefined {
  switch (type) {
    case 'boolean':
    case 'binary':
      return undefined;
    case 'json':
      return jsonWords(column);
    case 'list':
      return sql`array_to_string(CAST(${column} AS VARCHAR[]), chr(10))`;
    case 'text':
      return column;
    default:
      return LIKE_A_NUMBER.test(word) ? textOf(column, type, sqlType) : undefined;
  }
}

const STRING = String.raw`"(?:\\.|[^"\\])*"`;

/** JSON without its keys and nulls. Written anew, so that no character stands as an escape but these: " \ */
export function jsonWords(value: Sql): Sql {
  const written = sql`CAST(json_extract(${value}, '$') AS VARCHAR)`;
  return sql`regexp_replace(${written}, ${plain(`'${STRING}:|null|(${STRING})'`)}, '\\1', 'g')`;
}

/** A text as it stands in JSON. */
export function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
