/**
 * Says what is wrong with a value, if anything. A few lines instead of Zod, because every
 * request goes through here: Zod's checkers take as long to compile as the rest of a first answer.
 */
export interface Check<T> {
  (value: unknown, path: string): string | undefined;
  /** Never there; carries the type. */
  readonly type?: T;
}

type TypeOf<C> = C extends Check<infer T> ? T : never;
type Fields<Shape> = { readonly [Key in keyof Shape]: TypeOf<Shape[Key]> };

function expected<T>(what: string, fits: (value: unknown) => boolean): Check<T> {
  return (value, path) => (fits(value) ? undefined : `${path}: expected ${what}`);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const text = expected<string>('a string', (value) => typeof value === 'string');
export const anyObject = expected<Record<string, unknown>>('an object', isObject);
export const textOrWholeNumber = expected<string | number>(
  'a string or an integer',
  (value) => typeof value === 'string' || Number.isInteger(value),
);

export function oneOf<const Words extends readonly string[]>(words: Words): Check<Words[number]> {
  return expected(`one of ${words.join(', ')}`, (value) => words.some((word) => word === value));
}

export function optional<T>(check: Check<T>): Check<T | undefined> {
  return (value, path) => (value === undefined ? undefined : check(value, path));
}

/** An object with these fields; others may stand beside them. */
export function fields<Shape extends Record<string, Check<unknown>>>(
  shape: Shape,
): Check<Fields<Shape>> {
  const checks = Object.entries(shape);
  return (value, path) => {
    if (!isObject(value)) return `${path}: expected an object`;
    for (const [key, check] of checks) {
      const wrong = check(Object.hasOwn(value, key) ? value[key] : undefined, `${path}.${key}`);
      if (wrong) return wrong;
    }
    return undefined;
  };
}

export function mapOf<T>(check: Check<T>): Check<Record<string, T>> {
  return (value, path) => {
    if (!isObject(value)) return `${path}: expected an object`;
    for (const [key, item] of Object.entries(value)) {
      const wrong = check(item, `${path}.${key}`);
      if (wrong) return wrong;
    }
    return undefined;
  };
}

export function either<A, B>(a: Check<A>, b: Check<B>): Check<A | B> {
  return (value, path) => a(value, path) && b(value, path);
}
