import type { Property, Root } from './document.ts';

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly content: string;
}

/** VS Code's own, for a text that shows no other. */
const INDENT = '    ';

/** Linear however many there are; those at one place are applied in their order. */
export function applied(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, content } of edits.toSorted((one, other) => one.start - other.start)) {
    parts.push(text.slice(done, start), content);
    done = end;
  }
  return [...parts, text.slice(done)].join('');
}

/** What stands behind a text that has no object yet. */
export function newObject(text: string, key: string, value: unknown): string {
  const eol = lineEnd(text);
  const gap = text === '' || /[\r\n]$/.test(text) ? '' : eol;
  const entry = `${JSON.stringify(key)}: ${onLines(value, INDENT, INDENT, eol)}`;
  return `${gap}{${eol}${INDENT}${entry}${eol}}${eol}`;
}

export function replacement(text: string, root: Root, property: Property, value: unknown): Edit[] {
  const indent = indentOf(text, property);
  const content =
    indent === undefined
      ? JSON.stringify(value)
      : onLines(value, unitOf(text, root), indent, lineEnd(text));
  const { offset, length } = property.value;
  return [{ start: offset, end: offset + length, content }];
}

/** Behind all others, with a comma behind it if the one before has such a comma too. */
export function insertion(text: string, root: Root, key: string, value: unknown): Edit[] {
  const { beforeClose, close, properties } = root;
  const last = properties.at(-1);
  const gap = text.slice(beforeClose.end, close);
  const isOnLine = /[\r\n]/.test(gap) || (last && indentOf(text, last) !== undefined);
  const eol = lineEnd(text);
  const indent =
    [...properties]
      .reverse()
      .map((one) => indentOf(text, one))
      .find(isFound) ?? INDENT;
  // What is put in here is taken out again by `removal`, blank by blank.
  const blanks = isOnLine ? eol + indent : last ? ' ' : gap;
  const written = isOnLine
    ? onLines(value, unitOf(text, root), indent, eol)
    : JSON.stringify(value);
  const hasComma = last?.comma !== undefined;
  const content = `${blanks}${JSON.stringify(key)}: ${written}${hasComma ? ',' : ''}`;
  const entry = { start: beforeClose.end, end: beforeClose.end, content };
  return last && !hasComma ? [{ start: last.end, end: last.end, content: ',' }, entry] : [entry];
}

/** All that have this key: VS Code would go on with the one before. */
export function removal(text: string, { properties }: Root, key: string): Edit[] {
  const removed = properties.filter((property) => property.key === key);
  const kept = properties.filter((property) => property.key !== key).at(-1);
  const last = removed.at(-1);
  // Where one of several goes, the end of its line may be what ends a comment before another.
  const startOf = (property: Property) =>
    removed.length > 1 ? property.start : startWithBlanks(text, property);
  const edits = removed.flatMap((property) => [
    { start: startOf(property), end: property.end, content: '' },
    ...without(property.comma),
  ]);
  const isAtEnd = last && last === properties.at(-1) && last.comma === undefined;
  return isAtEnd ? [...edits, ...without(kept?.comma)] : edits;
}

function without(comma: number | undefined): Edit[] {
  return comma === undefined ? [] : [{ start: comma, end: comma + 1, content: '' }];
}

/** Where what belongs to a property begins: at the end of the line before, or behind what is before it. */
function startWithBlanks(text: string, { before, comma, end, start }: Property): number {
  const gap = text.slice(before.end, start);
  const lineBreak = /(?:\r\n|\r|\n)[ \t]*$/.exec(gap);
  if (!lineBreak) return before.end;
  const upToComma = text.slice(end, comma);
  const isDirect = comma !== undefined && !/[^ \t]/.test(upToComma);
  const follows = isDirect ? text.slice(comma + 1) : upToComma;
  // Without the end of its line, a comment would swallow what follows.
  const isNeeded = before.kind === 'line comment' && !/^[ \t]*(?:[\r\n]|$)/.test(follows);
  return isNeeded ? start : before.end + lineBreak.index;
}

function onLines(value: unknown, unit: string, indent: string, eol: string): string {
  return JSON.stringify(value, undefined, unit).replaceAll('\n', eol + indent);
}

/** The blanks before a property; `undefined` if something else stands before it on its line. */
function indentOf(text: string, { before, start }: Property): string | undefined {
  return /[\r\n]([ \t]*)$/.exec(text.slice(before.end, start))?.[1];
}

function unitOf(text: string, { properties }: Root): string {
  return properties.map((property) => indentOf(text, property)).find(isFound) || INDENT;
}

function isFound(indent: string | undefined): indent is string {
  return indent !== undefined;
}

function lineEnd(text: string): string {
  return /\r\n|\n/.exec(text)?.[0] ?? '\n';
}
