import { BatonError } from '@baton/core';
import type { Catalogue, Category, Field } from '../model.ts';
import { fold } from '../names.ts';
import { listed, nearNames, shownName } from '../query/near-names.ts';
import { type Hop, hopsFrom, hopsNamed } from './hops.ts';

/** What a name or a dotted path means, seen from records of a category. */
export interface Place {
  /** Which way to go first. */
  readonly hops: readonly Hop[];
  /** Where that leads. */
  readonly category: Category;
  /** Without it, the records there are meant. */
  readonly field?: Field;
  /** Keys into its JSON. */
  readonly keys: readonly string[];
  /** A relation that has this name too and begins at the field. */
  readonly relation?: Hop;
  /** Where a filter within this one applies, or a path goes on. */
  readonly inner?: Hop;
}

const MOST_STEPS = 4;
const MOST_KEYS = 8;
const LONGEST_NAME = 300;

/**
 * The first that there is: a field with this name; with the same name but for case, accents and
 * separators; with this alias; a relation with this name; one by its field without the word `id`;
 * one by the name of the category at its other end; a path of such names.
 */
export function resolve(
  catalogue: Catalogue,
  category: Category,
  name: string,
  steps = MOST_STEPS,
): Place {
  const whole = resolveOne(catalogue, category, name);
  if (whole) return whole;
  const parts = name.length > LONGEST_NAME ? [name] : name.split('.');
  for (let length = parts.length - 1; length > 0; length--) {
    const head = resolveOne(catalogue, category, parts.slice(0, length).join('.'));
    const rest = parts.slice(length);
    if (head?.field?.type === 'json') return { ...head, keys: keysOf(rest) };
    const hop = head && (head.inner ?? head.hops[0]);
    if (!hop) continue;
    if (steps === 0) throw tooLong(name);
    const place = resolve(catalogue, hop.target, rest.join('.'), steps - 1);
    return { ...place, hops: [hop, ...place.hops] };
  }
  throw unknownField(catalogue, category, name);
}

/** Keys into JSON, as many as can be followed. */
export function keysOf(keys: readonly string[]): readonly string[] {
  if (keys.length <= MOST_KEYS) return keys;
  throw new BatonError(
    'data_field_unknown',
    `${shownName(keys.join('.'))} goes more than ${MOST_KEYS} levels into JSON.`,
    'Take a shorter path, or $contains on what is nearer to its start.',
  );
}

/** A name of a hop that means it in filters, the shortest there is. */
export function nameOfHop(catalogue: Catalogue, category: Category, hop: Hop): string {
  const hops = hopsFrom(catalogue, category);
  const names = hop.names.flatMap((kind) => kind.names);
  const isOwn = (name: string) => {
    const [found, ...others] = hopsNamed(hops, name);
    const field = fieldNamed(category, name);
    const isFree = !field || field === hop.field;
    return isFree && others.length === 0 && found === hop;
  };
  return names.find(isOwn) ?? names.at(-1) ?? hop.target.id;
}

function resolveOne(catalogue: Catalogue, category: Category, name: string): Place | undefined {
  const hops = hopsFrom(catalogue, category);
  const field = fieldNamed(category, name);
  const found = hopsNamed(hops, name);
  if (!field) {
    const [hop, ...others] = found;
    if (others.length > 0) throw ambiguousHop(catalogue, category, name, found);
    return hop && { hops: [hop], category: hop.target, keys: [] };
  }
  const relation = found.find((hop) => hop.field === field);
  const own = hops.filter((hop) => hop.field === field);
  const inner = relation ?? [own, found].find(({ length }) => length === 1)?.[0];
  return {
    hops: [],
    category,
    field,
    keys: [],
    ...(relation && { relation }),
    ...(inner && { inner }),
  };
}

function fieldNamed(category: Category, name: string): Field | undefined {
  const folded = fold(name);
  const { fields } = category;
  const ways: readonly ((field: Field) => boolean)[] = [
    (field) => field.name === name,
    (field) => folded !== '' && fold(field.name) === folded,
    ({ aliases }) => aliases.includes(name),
    ({ aliases }) => folded !== '' && aliases.some((alias) => fold(alias) === folded),
  ];
  for (const isMeant of ways) {
    const [found, ...others] = fields.filter(isMeant);
    if (others.length === 0 && found) return found;
    if (found) throw ambiguousField(category, name, [found, ...others]);
  }
  return undefined;
}

function ambiguousField(category: Category, name: string, found: readonly Field[]): BatonError {
  return new BatonError(
    'data_field_unknown',
    `${shownName(name)} means several fields of ${category.id}.`,
    `Take one of ${listed(found.map((field) => shownName(field.name)))}.`,
  );
}

function ambiguousHop(
  catalogue: Catalogue,
  category: Category,
  name: string,
  found: readonly Hop[],
): BatonError {
  const names = found.map((hop) => shownName(nameOfHop(catalogue, category, hop)));
  return new BatonError(
    'data_field_unknown',
    `${shownName(name)} means several relations of ${category.id}.`,
    `Take one of ${listed(names)}.`,
  );
}

function tooLong(name: string): BatonError {
  return new BatonError(
    'data_field_unknown',
    `${shownName(name)} has more than ${MOST_STEPS} steps.`,
    'Search the category nearer to its end first.',
  );
}

function unknownField(catalogue: Catalogue, category: Category, name: string): BatonError {
  const fields = category.fields.map((field) => field.name);
  const aliases = category.fields.flatMap((field) => field.aliases);
  const relations = hopsFrom(catalogue, category)
    .filter(({ isIntoLink }) => !isIntoLink)
    .map((hop) => nameOfHop(catalogue, category, hop));
  const near = nearNames(name, [...fields, ...aliases, ...relations]).map(shownName);
  const meant = near.length > 0 ? `Did you mean ${near.join(' or ')}? ` : '';
  const related = relations.length > 0 ? ` Relations: ${listed([...new Set(relations)])}.` : '';
  return new BatonError(
    'data_field_unknown',
    `${category.id} has no field ${shownName(name)}.`,
    `${meant}Fields: ${listed(fields)}.${related}`,
  );
}
