import { type Assertion, compileProgram, type Part, TooLarge } from './pattern-program.ts';

/** A pattern that takes linear time, or why there is none. */
export type Pattern =
  | { readonly matches: (text: string) => boolean }
  | { readonly refused: string };

/** What stands at a place of a pattern, and what has been read so far. */
interface Cursor {
  readonly source: string;
  readonly flags: string;
  place: number;
  depth: number;
}

const LONGEST = 1000;
const DEEPEST = 50;
const MOST_REPEATS = 1000;
const ESCAPE =
  /\\(?:[pP]\{[^}]*\}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|.)/suy;
const CLASS = /\[(?:[^\]\\]|\\.)*\]/suy;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/uy;
const GROUP = /\((?:\?:|\?<[^=!>][^>]*>)?/uy;
const WORD = /\w/;

class Refused extends Error {}

/**
 * The language's own patterns can take exponential time for a short text. It only tests characters
 * here, one by one.
 */
export function compilePattern(source: string): Pattern {
  if (source.length > LONGEST) return { refused: `it is longer than ${LONGEST} characters` };
  const flags = ['u', ''].find((some) => isValid(source, some));
  if (flags === undefined) return { refused: 'it is no regular expression' };
  try {
    const cursor = { source, flags, place: 0, depth: 0 };
    const pattern = readOptions(cursor);
    return { matches: compileProgram(pattern) };
  } catch (error) {
    if (error instanceof TooLarge) return { refused: 'it repeats too much' };
    if (error instanceof Refused) return { refused: error.message };
    throw error;
  }
}

function isValid(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

function readOptions(cursor: Cursor): Part {
  cursor.depth += 1;
  if (cursor.depth > DEEPEST) throw new Refused('its groups are nested too deeply');
  const options = [readAll(cursor)];
  while (cursor.source[cursor.place] === '|') {
    cursor.place += 1;
    options.push(readAll(cursor));
  }
  cursor.depth -= 1;
  const [only] = options;
  return options.length === 1 && only ? only : { kind: 'any', options };
}

function readAll(cursor: Cursor): Part {
  const parts: Part[] = [];
  while (cursor.place < cursor.source.length && !/[|)]/.test(cursor.source[cursor.place] ?? '')) {
    parts.push(readRepeated(cursor));
  }
  return { kind: 'all', parts };
}

function readRepeated(cursor: Cursor): Part {
  const part = readPart(cursor);
  const quantifier = take(cursor, QUANTIFIER);
  if (!quantifier) return part;
  const [, sign, least = '', comma, most] = quantifier;
  const unlimited = Number.POSITIVE_INFINITY;
  if (sign)
    return { kind: 'repeat', part, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : unlimited };
  const min = Number(least);
  const open = most ? Number(most) : unlimited;
  const max = comma ? open : min;
  const isMany = (count: number) => count !== unlimited && count > MOST_REPEATS;
  if (isMany(min) || isMany(max)) throw new TooLarge();
  return { kind: 'repeat', part, min, max };
}

function readPart(cursor: Cursor): Part {
  const next = cursor.source[cursor.place];
  if (next === '(') return readGroup(cursor);
  if (next === '^') return assertion(cursor, 1, (_, place) => place === 0);
  if (next === '$') return assertion(cursor, 1, (characters, place) => place === characters.length);
  if (next === '\\') return readEscape(cursor);
  const source = next === '[' ? take(cursor, CLASS)?.[0] : undefined;
  return character(cursor, source ?? takeCharacter(cursor));
}

function readGroup(cursor: Cursor): Part {
  const [opening = ''] = take(cursor, GROUP) ?? [];
  if (opening === '(' && cursor.source[cursor.place] === '?') {
    throw new Refused('it looks ahead or behind, which is not supported');
  }
  const part = readOptions(cursor);
  cursor.place += 1;
  return part;
}

function readEscape(cursor: Cursor): Part {
  const after = cursor.source[cursor.place + 1] ?? '';
  if (after === 'b') return assertion(cursor, 2, isWordEdge);
  if (after === 'B') return assertion(cursor, 2, (...where) => !isWordEdge(...where));
  if (/[1-9k]/.test(after))
    throw new Refused('it refers to its own groups, which is not supported');
  return character(cursor, take(cursor, ESCAPE)?.[0] ?? takeCharacter(cursor));
}

const isWordEdge: Assertion = (characters, place) =>
  isWord(characters[place - 1]) !== isWord(characters[place]);

function isWord(character: string | undefined): boolean {
  return character !== undefined && WORD.test(character);
}

function assertion(cursor: Cursor, length: number, holds: Assertion): Part {
  cursor.place += length;
  return { kind: 'assertion', holds };
}

function character({ flags }: Cursor, source: string): Part {
  const one = new RegExp(`^(?:${source})$`, flags);
  return { kind: 'character', test: (given) => one.test(given) };
}

function takeCharacter(cursor: Cursor): string {
  const taken = String.fromCodePoint(cursor.source.codePointAt(cursor.place) ?? 0);
  cursor.place += taken.length;
  // Without the flag u these stand for themselves where they mean nothing else.
  return /[{}\]]/.test(taken) ? `\\${taken}` : taken;
}

function take(cursor: Cursor, token: RegExp): RegExpExecArray | undefined {
  token.lastIndex = cursor.place;
  const found = token.exec(cursor.source) ?? undefined;
  cursor.place += found?.[0].length ?? 0;
  return found;
}
