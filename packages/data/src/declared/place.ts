import { escapeLine, nearest, truncate } from '@baton/core';

export type Path = readonly (string | number)[];

/** Tells what is wrong with the value at a path, or with its key: a sentence without its full stop. */
export type Say = (path: Path, message: string, isKey?: true) => void;

/** A value of a file, with where it stands there. */
export interface Place {
  readonly value: unknown;
  readonly path: Path;
  readonly say: Say;
}

const LONGEST_TEXT = 2000;
const LONGEST_NAME = 500;
const MOST_ITEMS = 200;
const LONGEST_MESSAGE = 500;
/** To find what was meant takes long. */
const MOST_UNKNOWN = 20;

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** By key, in a map: a key may have the name of something that every object has. */
export function recordIn(place: Place | undefined): ReadonlyMap<string, Place> | undefined {
  if (isAbsent(place)) return undefined;
  const { value, path, say } = place;
  if (!isRecord(value)) {
    say(path, `expected names and values, received ${kindOf(value)}`);
    return undefined;
  }
  const entries = Object.entries(value);
  return new Map(entries.map(([key, one]) => [key, { value: one, path: [...path, key], say }]));
}

export function itemsIn({ value, path, say }: Place): Place[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (items.length > MOST_ITEMS) say(path, `more than ${MOST_ITEMS}: the rest is left out`);
  return items.slice(0, MOST_ITEMS).map((one, index) => ({
    value: one,
    path: Array.isArray(value) ? [...path, index] : path,
    say,
  }));
}

/** A text for people, on one line. */
export function textIn(place: Place | undefined): string | undefined {
  const text = plainIn(place)?.replace(/\s+/g, ' ').trim();
  return text ? truncate(text, LONGEST_TEXT) : undefined;
}

/** A name as it stands in the records, where each space counts. */
export function nameIn(place: Place | undefined): string | undefined {
  const name = plainIn(place);
  if (name === undefined || !place) return undefined;
  if (name !== '' && name.length <= LONGEST_NAME) return name;
  place.say(place.path, `a name has 1 to ${LONGEST_NAME} characters`);
  return undefined;
}

export function textsIn(place: Place | undefined): string[] | undefined {
  return listed(place, textIn);
}

export function namesIn(place: Place | undefined): string[] | undefined {
  return listed(place, nameIn);
}

export function flagIn(place: Place | undefined): boolean | undefined {
  if (isAbsent(place)) return undefined;
  if (typeof place.value === 'boolean') return place.value;
  place.say(place.path, `expected true or false, received ${kindOf(place.value)}`);
  return undefined;
}

export function oneOf<Choice extends string>(
  place: Place | undefined,
  choices: readonly Choice[],
  spellings: ReadonlyMap<string, Choice>,
): Choice | undefined {
  const given = textIn(place);
  if (given === undefined || !place) return undefined;
  const found = choices.find((choice) => choice === given) ?? spellings.get(given.toLowerCase());
  if (found === undefined) {
    const known = choices.join(', ');
    place.say(place.path, `expected one of ${known}; it is ${quoted(given)}`);
  }
  return found;
}

export function sayUnknown(record: ReadonlyMap<string, Place>, known: readonly string[]): void {
  const unknown = [...record].filter(([key]) => !known.includes(key));
  for (const [key, { path, say }] of unknown.slice(0, MOST_UNKNOWN)) {
    const meant = nearest(key, known);
    const hint = meant === undefined ? `known are ${known.join(', ')}` : `"${meant}" may be meant`;
    say(path, `it is not known here; ${hint}`, true);
  }
}

/** What a `Say` tells, in words for a person. */
export function worded(path: Path, message: string, isKey?: true): string {
  const where = isKey ? `Key ${quoted(String(path.at(-1)))}` : path.join('.');
  return escapeLine(truncate(where ? `${where}: ${message}.` : `${message}.`, LONGEST_MESSAGE));
}

export function quoted(text: string): string {
  return JSON.stringify(truncate(text, 60));
}

type Present<Values> = { [Key in keyof Values]?: Exclude<Values[Key], undefined> };

/** Without the keys that have no value. */
export function present<Values extends object>(values: Values): Present<Values> {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as Present<Values>;
}

export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  return Array.isArray(value)
    ? 'a list'
    : `${/^o/.test(typeof value) ? 'an' : 'a'} ${typeof value}`;
}

function isAbsent(place: Place | undefined): place is undefined {
  return place === undefined || place.value === null || place.value === undefined;
}

function plainIn(place: Place | undefined): string | undefined {
  if (isAbsent(place)) return undefined;
  const { value, path, say } = place;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  say(path, `expected a text, received ${kindOf(value)}`);
  return undefined;
}

function listed(
  place: Place | undefined,
  read: (item: Place) => string | undefined,
): string[] | undefined {
  if (isAbsent(place)) return undefined;
  return [...new Set(itemsIn(place).flatMap((item) => read(item) ?? []))];
}
