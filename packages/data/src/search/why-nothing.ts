import type { Catalogue, Category, Field } from '../model.ts';
import { shownName } from '../query/near-names.ts';
import { type Ask, ifCheap } from './ask.ts';
import type { Condition } from './condition.ts';
import { columnOf, conditionSql, RECORD } from './condition-sql.ts';
import { readFilter } from './filter.ts';
import { type FilterPart, partsOf } from './filter-parts.ts';
import { nearValues, type TextColumn } from './near-values.ts';
import { labelsOf } from './record.ts';
import { type Place, resolve } from './resolve.ts';
import { joined, plain, type Sql, sql } from './sql.ts';
import { tableOf } from './step-sql.ts';

const MOST_PARTS = 30;
const SECONDS = 2;
const LONGEST_SHOWN = 120;

interface Part extends Partial<FilterPart> {
  readonly condition: Condition;
  readonly word?: string;
}

/** Says why no record of a category matches, if that is found within a moment. */
export async function whyNothing(
  ask: Ask,
  catalogue: Catalogue,
  category: Category,
  {
    filters = {},
    words,
  }: { readonly filters?: object | undefined; readonly words: readonly string[] },
): Promise<string | undefined> {
  if (category.rows === 0) return `${category.id} has no records.`;
  const parts: readonly Part[] = [
    ...partsOf(filters).map((part) => ({
      ...part,
      condition: readFilter(catalogue, category, part.filter).condition,
    })),
    ...words.map((word) => ({
      word,
      condition: { type: 'words', category, words: [word] } as const,
    })),
  ].slice(0, MOST_PARTS);
  if (parts.length === 0) return undefined;
  const counts = await ifCheap(ask(countsSql(category, parts), SECONDS));
  const failing = parts.find((_, index) => counts?.[0]?.[index] === 0);
  if (failing) return explain(ask, catalogue, category, failing);
  return counts && parts.length > 1
    ? 'Each condition matches records by itself, but no record matches all of them.'
    : undefined;
}

function countsSql(category: Category, parts: readonly Part[]): Sql {
  const asked = parts.map(
    ({ condition }, index) => sql`(${conditionSql(condition)}) AS ${plain(`c${index}`)}`,
  );
  const counts = parts.map((_, index) => sql`count(*) FILTER (WHERE ${plain(`c${index}`)})`);
  const table = sql`${tableOf(category)} AS ${RECORD}`;
  return sql`SELECT ${joined(counts, ', ')} FROM (SELECT ${joined(asked, ', ')} FROM ${table})`;
}

async function explain(
  ask: Ask,
  catalogue: Catalogue,
  category: Category,
  { word, asked, filter }: Part,
): Promise<string> {
  if (word !== undefined) return `No record of ${category.id} contains ${shownName(word)}.`;
  const wanted = asked && wantedText(asked.operator, asked.value);
  if (asked && wanted !== undefined) {
    const place = resolve(catalogue, category, asked.name);
    const said = await sayNear(ask, category, asked.name, wanted, place);
    if (said !== undefined) return said;
  }
  const range = asked && rangeOf(asked.name, catalogue, category);
  const shown = JSON.stringify(filter);
  const short = shown.length > LONGEST_SHOWN ? `${shown.slice(0, LONGEST_SHOWN)}…` : shown;
  return `No record of ${category.id} matches ${short}${range ? `; ${range}` : ''}.`;
}

function wantedText(operator: string, value: unknown): string | undefined {
  const only = operator === '$in' && Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (operator !== '$eq' && operator !== '$in') return undefined;
  return typeof only === 'string' ? only : undefined;
}

async function sayNear(
  ask: Ask,
  category: Category,
  name: string,
  wanted: string,
  place: Place,
): Promise<string | undefined> {
  const columns = textColumns(place);
  if (columns.length === 0) return undefined;
  const near = await nearValues(ask, columns, wanted);
  const there = `${name} ${shownName(wanted)}`;
  if (near[0] === wanted) {
    return `There is ${there}, but no record of ${category.id} leads to it.`;
  }
  const usual = place.field?.top.slice(0, MOST_USUAL).map(({ value }) => value) ?? [];
  const others = (near.length > 0 ? near : usual).map(shownName);
  if (others.length === 0) return `There is no ${there}.`;
  const verb = others.length === 1 ? 'is' : 'are';
  const most = near.length > 0 ? '' : 'for example ';
  return `There is no ${there}; there ${verb} ${most}${others.join(', ')}.`;
}

const MOST_USUAL = 5;

/** Where the texts stand that a place leads to. */
function textColumns({ field, category, relation, keys }: Place): readonly TextColumn[] {
  if (keys.length > 0) return [];
  const at = (of: Category) => (one: Field) => textColumn(of, one);
  const named = relation?.target ?? (field ? undefined : category);
  return [
    ...(named ? labelsOf(named).flatMap(at(named)) : []),
    ...(field ? at(category)(field) : []),
  ];
}

function textColumn(category: Category, field: Field): readonly TextColumn[] {
  const table = tableOf(category);
  const value = columnOf(RECORD, field);
  if (field.type === 'text') return [{ table, value }];
  const isTexts = field.type === 'list' && field.sqlType.startsWith('VARCHAR');
  return isTexts ? [{ table, value: sql`unnest(${value})` }] : [];
}

function rangeOf(name: string, catalogue: Catalogue, category: Category): string | undefined {
  const { field, keys } = resolve(catalogue, category, name);
  const { min, max, type } = field ?? {};
  if (keys.length > 0 || type === 'text' || type === 'json' || type === 'boolean') return undefined;
  if (min === undefined || min === null || max === undefined || max === null) return undefined;
  return `its values go from ${String(min)} to ${String(max)}`;
}
