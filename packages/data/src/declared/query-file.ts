import { truncate } from '@baton/core';
import type { Cell, SampleQuery } from '../model.ts';
import type { Reading } from './declared.ts';
import { itemsIn, type Place, present, quoted, recordIn, textIn } from './place.ts';
import { readJson } from './read-json.ts';

const LONGEST_SQL = 10_000;
const LONGEST_TITLE = 200;
const LONGEST_DESCRIPTION = 2000;
const NO_STATEMENT = `a statement of 1 to ${LONGEST_SQL} characters is missing`;

/** A file of `queries/`: SQL after comments, or JSON. */
export function readQueryFile(text: string, file: string): Reading<readonly SampleQuery[]> {
  const fallback = titleOf(file);
  if (/\.sql$/i.test(file)) return readSql(text, file, fallback);
  return readJson(text, file, [], (place) =>
    itemsIn(place).flatMap((item) => readQuery(item, fallback)),
  );
}

function readQuery(place: Place, fallback: string): SampleQuery | [] {
  const query = recordIn(place);
  if (!query) return [];
  const filters = query.get('filters');
  return {
    title: textIn(query.get('title') ?? query.get('name')) ?? fallback,
    ...present({ description: textIn(query.get('description')), sql: sqlIn(query.get('sql')) }),
    // They have been read from JSON, and so they are cells.
    ...(recordIn(filters) && { filters: filters?.value as Readonly<Record<string, Cell>> }),
  };
}

function sqlIn(place: Place | undefined): string | undefined {
  if (place === undefined || place.value === null) return undefined;
  const sql = typeof place.value === 'string' ? plainSql(place.value) : '';
  if (isStatement(sql)) return sql;
  place.say(place.path, NO_STATEMENT);
  return undefined;
}

/** The first comment is the title, the others before the statement describe it. */
function readSql(text: string, file: string, fallback: string): Reading<readonly SampleQuery[]> {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const start = lines.findIndex((line) => !/^\s*(?:--|$)/.test(line));
  const sql = start < 0 ? '' : plainSql(lines.slice(start).join('\n'));
  if (!isStatement(sql)) {
    const problem = { file, line: Math.max(1, start + 1), message: `${NO_STATEMENT}.` };
    return { declared: [], problems: [{ ...problem, severity: 'error' }] };
  }
  const comments = lines
    .slice(0, start)
    .map((line) => line.replace(/^\s*-*\s*(?:(?:title|description):)?/i, '').trim())
    .filter(Boolean);
  const [title = fallback, ...more] = comments;
  const description = truncate(more.join(' '), LONGEST_DESCRIPTION);
  const query = { title: truncate(title, LONGEST_TITLE), ...(description && { description }), sql };
  return { declared: [query], problems: [] };
}

function isStatement(sql: string): boolean {
  return sql !== '' && sql.length <= LONGEST_SQL;
}

function plainSql(sql: string): string {
  let plain = sql.trim();
  while (plain.endsWith(';')) plain = plain.slice(0, -1).trimEnd();
  return plain;
}

function titleOf(file: string): string {
  const name = file.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '');
  return name.replace(/[-_]+/g, ' ').trim() || quoted(file);
}
