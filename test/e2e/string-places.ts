export interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly minimum?: number;
}

/** A place in a tool's input where a string can stand. */
export interface StringPlace {
  /** Such as `jobs[].work.args[]`. */
  readonly where: string;
  /** The smallest valid input with a text of one's choice at this place. */
  fill(text: string): unknown;
}

/** A job id, a name, a program and a shell command that does nothing. */
export const HARMLESS = 'true';

/** Every place for a string, through all alternatives, so that a new parameter cannot be forgotten. */
export function stringPlaces(schema: JsonSchema, where = ''): StringPlace[] {
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return alternatives.flatMap((each) => stringPlaces(each, where));
  if (schema.const !== undefined || schema.enum) return [];
  // Without a type it takes anything, a string too.
  if (schema.type === 'string' || schema.type === undefined)
    return [{ where, fill: (text) => text }];
  if (schema.type === 'array') {
    return stringPlaces(schema.items ?? {}, `${where}[]`).map(within((inner) => [inner]));
  }
  return schema.type === 'object' ? placesInObject(schema, where) : [];
}

function placesInObject(schema: JsonSchema, where: string): StringPlace[] {
  const { properties = {}, additionalProperties } = schema;
  const named = Object.entries(properties).flatMap(([key, child]) =>
    stringPlaces(child, where ? `${where}.${key}` : key).map(
      within((inner) => ({ ...(sample(schema) as object), [key]: inner })),
    ),
  );
  if (typeof additionalProperties !== 'object') return named;
  const values = stringPlaces(additionalProperties, `${where}.*`);
  const asKey = { where: `${where}.keys`, fill: (text: string) => ({ [text]: HARMLESS }) };
  return [...named, ...values.map(within((inner) => ({ [HARMLESS]: inner }))), asKey];
}

function within(wrap: (inner: unknown) => unknown) {
  return ({ where, fill }: StringPlace): StringPlace => ({
    where,
    fill: (text) => wrap(fill(text)),
  });
}

function sample(schema: JsonSchema): unknown {
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return sample(first);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((key) => [key, sample(schema.properties?.[key] ?? {})]),
      );
    case 'array':
      return schema.minItems ? [sample(schema.items ?? {})] : [];
    case 'string':
      return HARMLESS;
    case 'boolean':
      return false;
    default:
      return schema.minimum ?? 1;
  }
}

/** Texts that would make a file if anything took them for a command or an option. */
export function payloadsFor(canary: string): string[] {
  const touch = `touch ${canary}`;
  return [
    `$(${touch})`,
    `\`${touch}\``,
    `;${touch}`,
    `|${touch}`,
    `&& ${touch}`,
    `\n${touch}\n`,
    `%00;${touch}`,
    `\0;${touch}`,
    `'; ${touch}; '`,
    `"; ${touch}; "`,
    `--output=${canary}`,
  ];
}
