import type { FieldType } from '../../model.ts';
import { isRecord } from '../place.ts';
import { resolve } from './reference.ts';

const DEEPEST = 16;
const MOST_SCHEMAS = 1000;

const TYPES: ReadonlyMap<unknown, FieldType> = new Map([
  ['string', 'text'],
  ['integer', 'integer'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['object', 'json'],
]);

const FORMATS: ReadonlyMap<unknown, FieldType> = new Map([
  ['date', 'date'],
  ['date-time', 'timestamp'],
]);

/** The schemas of a record's fields, with what it includes. The first of a name counts. */
export function fieldSchemas(root: unknown): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const { properties } of included(root)) {
    if (!isRecord(properties)) continue;
    for (const [name, schema] of Object.entries(properties)) {
      if (!fields.has(name)) fields.set(name, schema);
    }
  }
  return fields;
}

export function requiredNames(root: unknown): ReadonlySet<string> {
  const lists = included(root).map(({ required }) => (Array.isArray(required) ? required : []));
  return new Set(lists.flat().filter((name): name is string => typeof name === 'string'));
}

/** The type of a field whose values fit a schema, if it says one. */
export function fieldType(schema: unknown, root: unknown): FieldType | undefined {
  return typeWithin(schema, root, { schemas: MOST_SCHEMAS }, 0);
}

function typeWithin(
  schema: unknown,
  root: unknown,
  left: { schemas: number },
  depth: number,
): FieldType | undefined {
  left.schemas -= 1;
  if (!isRecord(schema) || depth > DEEPEST || left.schemas < 0) return undefined;
  const { $ref, anyOf, oneOf, format } = schema;
  if (typeof $ref === 'string') {
    return typeWithin(resolve(root, $ref)?.schema, root, left, depth + 1);
  }
  const options = (Array.isArray(anyOf) ? anyOf : oneOf) as unknown;
  if (Array.isArray(options)) {
    const types = options
      .filter((option) => !(isRecord(option) && option['type'] === 'null'))
      .map((option) => typeWithin(option, root, left, depth + 1));
    return new Set(types).size === 1 ? types[0] : undefined;
  }
  const names = namesOf(schema);
  if (names.length !== 1) return undefined;
  if (names[0] === 'array') {
    return listType(typeWithin(schema['items'], root, left, depth + 1));
  }
  return (names[0] === 'string' ? FORMATS.get(format) : undefined) ?? TYPES.get(names[0]);
}

function namesOf({ type, enum: values }: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (type !== undefined) return [type].flat().filter((name) => name !== 'null');
  const isTexts = Array.isArray(values) && values.every((value) => typeof value === 'string');
  return isTexts ? ['string'] : [];
}

/** A list of lists, objects or nothing known is JSON to the engine. */
function listType(item: FieldType | undefined): FieldType {
  return item === undefined || item === 'json' || item === 'list' ? 'json' : 'list';
}

/** A schema with those that it takes in: `$ref` and `allOf`. */
function included(root: unknown): Readonly<Record<string, unknown>>[] {
  const found = new Set<Readonly<Record<string, unknown>>>();
  const todo: unknown[] = [root];
  // What is found on the way is looked at too.
  for (const schema of todo) {
    if (!isRecord(schema) || found.has(schema) || found.size >= MOST_SCHEMAS) continue;
    found.add(schema);
    const { $ref, allOf } = schema;
    if (typeof $ref === 'string') todo.push(resolve(root, $ref)?.schema);
    if (Array.isArray(allOf)) todo.push(...allOf.slice(0, MOST_SCHEMAS));
  }
  return [...found];
}
