export type Path = readonly PropertyKey[];

/** As much of a Zod schema as is looked at; every kind has only some of it. */
interface Schema {
  readonly def?: {
    readonly type?: string;
    readonly innerType?: Schema;
    readonly in?: Schema;
    readonly out?: Schema;
    readonly getter?: () => Schema;
    readonly values?: readonly unknown[];
    readonly valueType?: Schema;
    readonly items?: readonly Schema[];
  };
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly options?: readonly Schema[];
}

/** The schema at a path of a value. */
export function schemaAt(root: unknown, path: Path, value: unknown): unknown {
  let schema = root as Schema | undefined;
  path.forEach((step, depth) => {
    schema = childOf(chosen(schema, valueAt(value, path.slice(0, depth))), step);
  });
  return schema;
}

/** The keys that an object may have; of several kinds of objects, the one that the value is. */
export function keysOf(schema: unknown, value: unknown): string[] {
  return Object.keys(chosen(schema as Schema, value)?.shape ?? {});
}

export function optionsOf(schema: unknown): readonly unknown[] {
  return unwrapped(schema as Schema)?.options ?? [];
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (current, step) => (hasOwn(current, step) ? current[step] : undefined),
    value,
  );
}

export function hasOwn(value: unknown, key: PropertyKey): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}

function childOf(schema: Schema | undefined, step: PropertyKey): Schema | undefined {
  if (schema?.shape) return hasOwn(schema.shape, step) ? schema.shape[String(step)] : undefined;
  return schema?.element ?? schema?.def?.items?.[Number(step)] ?? schema?.def?.valueType;
}

function chosen(schema: Schema | undefined, value: unknown): Schema | undefined {
  const open = unwrapped(schema);
  if (!open?.options) return open;
  return open.options.map((option) => chosen(option, value)).find((option) => fits(option, value));
}

function fits(schema: Schema | undefined, value: unknown): boolean {
  if (Array.isArray(value)) return schema?.def?.type === 'array';
  if (!schema?.shape) return false;
  return Object.entries(schema.shape).every(([key, entry]) => {
    const { type, values = [] } = unwrapped(entry)?.def ?? {};
    return type !== 'literal' || values.includes(valueAt(value, [key]));
  });
}

function unwrapped(schema: Schema | undefined): Schema | undefined {
  let current = schema;
  for (let inner = current; inner; inner = innerOf(current)) current = inner;
  return current;
}

function innerOf(schema: Schema | undefined): Schema | undefined {
  const { innerType, getter, in: before, out: after } = schema?.def ?? {};
  return innerType ?? getter?.() ?? (before?.def?.type === 'transform' ? after : before);
}
