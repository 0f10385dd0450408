import { escapeLine } from '@baton/core';
import { columnsOf, pad } from '../../columns.ts';
import { countOf } from '../../count-of.ts';
import type { Io } from '../../io.ts';
import { type Style, styleFor } from '../../style.ts';
import type { Cell, FoundRecord, SearchAnswer } from './data-session.ts';
import { cellText, valueTable } from './value-table.ts';

/** The fields that records have, in the order of `known`. */
export function fieldsOf(
  records: readonly FoundRecord[],
  known: readonly string[] = [],
): readonly string[] {
  return [...new Set([...known, ...records.flatMap(({ values }) => Object.keys(values))])];
}

export function rowOf({ values }: FoundRecord, fields: readonly string[]): readonly Cell[] {
  return fields.map((field) => (Object.hasOwn(values, field) ? (values[field] ?? null) : null));
}

/** Records as tables, one for each category. */
export function recordLines(io: Io, answer: SearchAnswer, known: readonly string[]): string[] {
  const style = styleFor(io);
  const { records, counts, total, cursor, next } = answer;
  const lines = [...new Set(records.map(({ category }) => category))].flatMap((category) => {
    const found = records.filter((record) => record.category === category);
    const count = category === undefined ? undefined : (counts?.[category] ?? found.length);
    const head =
      category && `${style.bold(escapeLine(category))}  ${countOf(count ?? 0, 'record')}`;
    return [...(head ? [head] : []), ...tableOf(io, found, known, style), ...(head ? [''] : [])];
  });
  const shown = records.length < total ? `${records.length} of ${total}` : `${total}`;
  const more = cursor ? `; more with --cursor ${cursor}` : '';
  return [
    ...lines,
    ...(next ? [style.yellow(escapeLine(next))] : []),
    style.dim(`${shown} ${total === 1 ? 'record' : 'records'}${more}`),
  ];
}

function tableOf(
  io: Io,
  records: readonly FoundRecord[],
  known: readonly string[],
  style: Style,
): readonly string[] {
  const has = fieldsOf(records);
  const fields = fieldsOf(
    records,
    known.filter((field) => has.includes(field)),
  );
  const { lines, leftOut } = valueTable(
    io,
    fields,
    records.map((record) => rowOf(record, fields)),
  );
  return leftOut.length === 0 ? lines : [...lines, style.dim(leftOutText(leftOut))];
}

export function leftOutText(names: readonly string[], way = '--field shows what it names'): string {
  return `Not shown, for want of room: ${escapeLine(names.join(', '))} (${way})`;
}

/** One record, a field on each line, and what it is connected with. */
export function recordPage(io: Io, { records, connections, next }: SearchAnswer): string[] {
  const style = styleFor(io);
  const values = records.flatMap((record) => Object.entries(record.values));
  const lines = values.map(([name, value]) => [escapeLine(name), cellText(value)] as const);
  return [
    ...pairLines(lines, style),
    ...(connections ? ['', style.bold('Connections'), ...connectionLines(connections, style)] : []),
    ...(next ? [style.yellow(escapeLine(next))] : []),
  ];
}

function connectionLines(
  connections: NonNullable<SearchAnswer['connections']>,
  style: Style,
): string[] {
  if (connections.length === 0) return ['none'];
  return pairLines(
    connections.map(({ name, category, count, records }) => {
      const shown = records.map(({ id, label }) =>
        label && id ? `${label} (${id})` : (label ?? id ?? ''),
      );
      const rest = count > shown.length && shown.length > 0 ? ', …' : '';
      const which = shown.length > 0 ? `: ${shown.join(', ')}${rest}` : '';
      return [escapeLine(name), escapeLine(`${count} of ${category}${which}`)] as const;
    }),
    style,
  );
}

function pairLines(pairs: readonly (readonly [string, string])[], style: Style): string[] {
  const width = pairs.reduce((most, [name]) => Math.max(most, columnsOf(name)), 0);
  return pairs.map(([name, value]) => `${style.dim(pad(name, width))}  ${value}`.trimEnd());
}
