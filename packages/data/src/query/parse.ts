import { BatonError } from '@baton/core';
import type { Engine } from '../engine/engine.ts';
import { LONGEST_SQL } from './limits.ts';

/** Longer statements are refused before the engine sees them. */

const PARSE_SECONDS = 10;

/** A statement as the engine's own parser reads it. */
export type Tree = { readonly [key: string]: unknown };

interface Parsed {
  readonly error: boolean;
  readonly error_type?: string;
  readonly error_message?: string;
  /** In characters, from 0; absent if the problem has no place. */
  readonly position?: string;
  readonly statements?: readonly Tree[];
}

const ONLY_SELECT =
  'Write one SELECT, with WITH, joins and subqueries as needed. Instead of a PIVOT statement, use sum(x) FILTER (WHERE …).';

/** The one SELECT that a text consists of. Everything else is refused. */
export async function parseSelect(
  engine: Engine,
  sql: string,
  signal?: AbortSignal,
): Promise<Tree> {
  if (sql.length > LONGEST_SQL) {
    throw new BatonError(
      'data_query_refused',
      `The statement has ${sql.length} characters; ${LONGEST_SQL} are the most.`,
      'Ask for less at once: join or filter instead of listing values.',
    );
  }
  const result = await engine.run('SELECT json_serialize_sql(?::VARCHAR)::VARCHAR', {
    values: [sql],
    seconds: PARSE_SECONDS,
    ...(signal && { signal }),
  });
  const parsed = JSON.parse(String(result.rows[0]?.[0])) as Parsed;
  if (parsed.error) throw refusal(sql, parsed);
  const [statement, another] = parsed.statements ?? [];
  if (!statement) {
    throw new BatonError('data_query_invalid', 'There is no statement.', ONLY_SELECT);
  }
  if (another) {
    throw new BatonError(
      'data_query_refused',
      'Only one statement can run at a time.',
      'Send each SELECT by itself.',
    );
  }
  return statement;
}

function refusal(sql: string, { error_type, error_message = '', position }: Parsed): BatonError {
  if (error_type === 'not implemented') {
    return new BatonError('data_query_refused', 'Only one SELECT can run here.', ONLY_SELECT);
  }
  if (error_message.startsWith('Max expression depth')) {
    return new BatonError(
      'data_query_invalid',
      'The statement is nested too deeply.',
      'Use fewer nested expressions: IN instead of many OR, or a join.',
    );
  }
  const place = position === undefined ? '' : ` at ${placeOf(sql, Number(position))}`;
  return new BatonError(
    'data_query_invalid',
    `This is no SQL${place}: ${error_message}.`,
    'Correct the statement. It is DuckDB SQL; names with other characters than letters, digits and _ need "double quotes".',
  );
}

/** `line:column`, both from 1. */
function placeOf(sql: string, position: number): string {
  const before = [...sql].slice(0, position).join('').split('\n');
  return `${before.length}:${[...(before.at(-1) ?? '')].length + 1}`;
}

/** As the engine compares names: other letters than these are not alike in upper and lower case. */
export function lower(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
