/** The parts of JSON Schema that Zod makes of the schemas of files. */
interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly minItems?: number;
}

/** Two values that differ in one place and fit a schema. */
export interface SchemaChange {
  /** Such as `jobs[].work.args[]`. */
  readonly where: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** Every way to change one place of a value, through all alternatives and whether it is there. */
export function schemaChanges(schema: JsonSchema, where = ''): SchemaChange[] {
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) {
    // The same in another form is no change: neighbours differ in their values, too.
    const samples = alternatives.map((each, index) => sample(each, index % 2));
    return [
      ...alternatives.flatMap((each) => schemaChanges(each, where)),
      ...samples.slice(1).map((to, index) => ({ where, from: samples[index], to })),
    ];
  }
  if (schema.const !== undefined) return [];
  if (schema.type === 'array') return changesOfArray(schema, where);
  if (schema.type === 'object') return changesOfObject(schema, where);
  return [{ where, from: sample(schema), to: sample(schema, 1) }];
}

function changesOfArray({ items = {}, minItems = 0 }: JsonSchema, where: string): SchemaChange[] {
  const within = schemaChanges(items, `${where}[]`).map(inside((value) => [value]));
  return minItems > 0 ? within : [...within, { where, from: [], to: [sample(items)] }];
}

function changesOfObject(schema: JsonSchema, where: string): SchemaChange[] {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const all = sample(schema) as Record<string, unknown>;
  const named = Object.entries(properties).flatMap(([key, child]) => {
    const place = where ? `${where}.${key}` : key;
    const added = { where: place, from: all, to: { ...all, [key]: sample(child) } };
    return [
      ...schemaChanges(child, place).map(inside((value) => ({ ...all, [key]: value }))),
      ...(required.includes(key) ? [] : [added]),
    ];
  });
  if (typeof additionalProperties !== 'object') return named;
  const [name, other] = [0, 1].map((which) => String(sample(propertyNames ?? {}, which)));
  const value = sample(additionalProperties);
  return [
    ...schemaChanges(additionalProperties, `${where}.*`).map(
      inside((inner) => ({ [name ?? '']: inner })),
    ),
    { where, from: { [name ?? '']: value }, to: { [other ?? '']: value } },
  ];
}

function inside(wrap: (value: unknown) => unknown) {
  return ({ where, from, to }: SchemaChange) => ({ where, from: wrap(from), to: wrap(to) });
}

/** The smallest value that fits, and another one. */
function sample(schema: JsonSchema, which = 0): unknown {
  const [alternative] = schema.anyOf ?? schema.oneOf ?? [];
  if (alternative) return sample(alternative, which);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[which];
  switch (schema.type) {
    case 'object':
      if (typeof schema.additionalProperties === 'object') {
        const name = String(sample(schema.propertyNames ?? {}, which));
        return { [name]: sample(schema.additionalProperties, which) };
      }
      return Object.fromEntries(
        (schema.required ?? []).map((key) => [key, sample(schema.properties?.[key] ?? {}, which)]),
      );
    case 'array':
      return [sample(schema.items ?? {}, which)];
    case 'boolean':
      return which === 0;
    case 'integer':
    case 'number':
      return which + 1;
    default:
      return ['one', 'two'][which];
  }
}
