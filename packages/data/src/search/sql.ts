import { type Bound, quoteName } from '../engine/engine.ts';

/** A piece of a statement, with the values for each `?` in it. */
export interface Sql {
  readonly text: string;
  readonly values: readonly Bound[];
}

/** Pieces put together. Only pieces can stand in it: what comes from outside is bound or quoted. */
export function sql(strings: TemplateStringsArray, ...parts: readonly Sql[]): Sql {
  let text = strings[0] ?? '';
  const values: Bound[] = [];
  for (const [index, part] of parts.entries()) {
    text += part.text + (strings[index + 1] ?? '');
    values.push(...part.values);
  }
  return { text, values };
}

/** Cast where it stands: without that, the engine has to guess what it is. */
export function bound(text: string, type = 'VARCHAR'): Sql {
  return { text: `CAST(? AS ${type})`, values: [text] };
}

export function named(name: string): Sql {
  return { text: quoteName(name), values: [] };
}

/** Words of the language, and numbers that were counted here. Nothing from outside. */
export function plain(text: string | number): Sql {
  return { text: String(text), values: [] };
}

export function joined(parts: readonly Sql[], separator: string): Sql {
  return {
    text: parts.map(({ text }) => text).join(separator),
    values: parts.flatMap(({ values }) => values),
  };
}

const TRUE = plain('TRUE');

export function allOf(parts: readonly Sql[]): Sql {
  return parts.length === 0 ? TRUE : sql`(${joined(parts, ' AND ')})`;
}

export function anyOf(parts: readonly Sql[]): Sql {
  return parts.length === 0 ? plain('FALSE') : sql`(${joined(parts, ' OR ')})`;
}
