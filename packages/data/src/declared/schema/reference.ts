/** What a `$ref` within a schema leads to. */
export function resolve(
  root: unknown,
  reference: string,
): { readonly schema: unknown } | undefined {
  if (reference === '#') return { schema: root };
  if (!reference.startsWith('#/')) return undefined;
  let schema: unknown = root;
  for (const step of reference.slice(2).split('/')) {
    const key = unescaped(step);
    if (key === undefined || !hasOwn(schema, key)) return undefined;
    schema = schema[key];
  }
  return { schema };
}

export function hasOwn(value: unknown, key: string): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}

function unescaped(step: string): string | undefined {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}
