import { escapeLine } from '@baton/core';
import { countOf } from '../../count-of.ts';
import type { Io } from '../../io.ts';
import { type Style, styleFor } from '../../style.ts';
import { tableLines } from '../../table-lines.ts';
import type { Cell, DescribedCategory } from './data-session.ts';
import { cellText } from './value-table.ts';

type DescribedField = DescribedCategory['fields'][number];

/** All that is told of a category, for people. */
export function categoryPage(io: Io, category: DescribedCategory): readonly string[] {
  const style = styleFor(io);
  const { name, id, table, rows, key, description, relations, quality, queries } = category;
  const { examples = [], inferred } = category;
  const facts = [
    id,
    ...(id === table ? [] : [`in SQL ${table}`]),
    countOf(rows, 'record'),
    ...(key.length > 0 ? [`key ${key.join(', ')}`] : []),
  ];
  return [
    `${style.bold(escapeLine(name))}  ${style.dim(escapeLine(facts.join(', ')))}`,
    ...(description === '' ? [] : [escapeLine(description)]),
    ...told(category, style),
    '',
    ...fieldLines(io, category.fields, style),
    ...notes(category.fields, style),
    ...section('Relations', relations, style),
    ...section('Quality', quality, style),
    ...section(
      'Queries',
      queries.flatMap(({ title, sql, filters }) => {
        const what = sql ?? (filters && `--filter '${filters}'`);
        return [title, ...(what === undefined ? [] : [`  ${what}`])];
      }),
      style,
    ),
    ...section(
      'Examples',
      examples.map((one) => JSON.stringify(one)),
      style,
    ),
    ...section('Inferred', inferred, style),
    '',
  ];
}

function told(category: DescribedCategory, style: Style): string[] {
  const { aliases, purpose, routing, cadence, access } = category;
  const lines = [
    ['Also called', aliases?.join(', ')],
    ['Purpose', purpose],
    ['Look here for', routing?.join(', ')],
    ['Updated', cadence],
    ['Access', access],
  ] as const;
  return lines.flatMap(([title, text]) =>
    text === undefined ? [] : [`${style.dim(`${title}:`)} ${escapeLine(text)}`],
  );
}

function fieldLines(io: Io, fields: readonly DescribedField[], style: Style): readonly string[] {
  const rows = [
    ['Field', 'Type', 'Missing', 'Values'],
    ...fields.map((field) => [
      escapeLine(field.name),
      escapeLine(
        [field.type, field.unique && 'unique', field.required && 'required']
          .filter(Boolean)
          .join(', '),
      ),
      `${field.missing ?? ''}`.padStart('Missing'.length),
      escapeLine(valuesOf(field)),
    ]),
  ];
  // A column that says nothing takes no room.
  const isUsed = (at: number) => rows.slice(1).some((row) => (row[at] ?? '').trim() !== '');
  const shown = rows.map((row) => row.filter((_, at) => isUsed(at)));
  const [head = '', ...lines] = tableLines(io, shown);
  return [style.bold(head), ...lines];
}

function valuesOf({ range, values, distinct }: DescribedField): string {
  const [from, to] = range ?? [];
  const parts = [
    ...(range ? [`${cellText(from as Cell)} to ${cellText(to as Cell)}`] : []),
    ...(values && !range ? [values] : []),
    ...(distinct !== undefined && !values?.endsWith(')') ? [`${distinct} different`] : []),
  ];
  return parts.join('; ');
}

/** What somebody has said about fields, and what was noticed. */
function notes(fields: readonly DescribedField[], style: Style): string[] {
  const lines = fields.flatMap(({ name, about, aliases, notes: noticed = [] }) => {
    const parts = [...(about ? [about] : []), ...(aliases ? [`also ${aliases.join(', ')}`] : [])];
    const all = [...parts, ...noticed];
    return all.length > 0 ? [`${name}: ${all.join('; ')}`] : [];
  });
  return section('About fields', lines, style);
}

function section(title: string, lines: readonly string[] | undefined, style: Style): string[] {
  if (!lines || lines.length === 0) return [];
  return ['', style.bold(title), ...lines.map((line) => `  ${escapeLine(line)}`)];
}
