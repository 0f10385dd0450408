import type { DeclaredCategory, Reading } from './declared.ts';
import { isRecord, type Place, present, recordIn, textIn } from './place.ts';
import { readJson } from './read-json.ts';
import { fieldSchemas, fieldType, requiredNames } from './schema/schema-fields.ts';
import { sayUnusable } from './schema/unusable.ts';

export interface DeclaredSchema {
  readonly category: DeclaredCategory;
  /** For `createValidator`; absent if there is none. */
  readonly schema?: unknown;
}

/** `schema.json`: the JSON Schema of one record, or one with a name and a description beside it. */
export function readSchemaFile(text: string, file: string): Reading<DeclaredSchema> {
  return readJson<DeclaredSchema>(text, file, { category: {} }, (place) => {
    const given = recordIn(place);
    if (!given) return { category: {} };
    const inner = isWrapper(place.value) ? given.get('schema') : undefined;
    const description = textIn(given.get('description'));
    return readSchema(inner ?? place, description);
  });
}

function isWrapper(value: unknown): boolean {
  if (!isRecord(value) || !isRecord(value['schema'])) return false;
  return !['type', 'properties', '$ref', 'allOf'].some((key) => Object.hasOwn(value, key));
}

function readSchema(place: Place, description: string | undefined): DeclaredSchema {
  const { value: schema, path, say } = place;
  if (isRecord(schema) && schema['type'] === 'array') {
    say(path, 'the schema is one of a list: expected that of one record');
    return { category: {} };
  }
  sayUnusable(schema, (where, message) => say([...path, ...where], message));
  const required = requiredNames(schema);
  const fields = [...fieldSchemas(schema)].map(([name, field]) => ({
    name,
    ...present({
      type: fieldType(field, schema),
      description: descriptionOf(field, place),
      isRequired: required.has(name) ? (true as const) : undefined,
    }),
  }));
  const known = new Set(fields.map(({ name }) => name));
  const onlyRequired = [...required]
    .filter((name) => !known.has(name))
    .map((name) => ({ name, isRequired: true as const }));
  return {
    category: { ...present({ description }), fields: [...fields, ...onlyRequired] },
    schema,
  };
}

function descriptionOf(field: unknown, { path }: Place): string | undefined {
  if (!isRecord(field)) return undefined;
  // The schema is right without one, so nothing is told.
  const place = { value: field['description'] ?? field['title'], path, say: () => undefined };
  return textIn(place);
}
