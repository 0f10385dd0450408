import { isRecord, type Path, quoted } from '../place.ts';
import { compilePattern } from './pattern.ts';
import { resolve } from './reference.ts';

interface SchemaPlace {
  readonly schema: unknown;
  readonly path: Path;
}

const DEEPEST = 64;
const MOST_SCHEMAS = 10_000;
const BY_NAME = ['properties', 'patternProperties', '$defs', 'definitions'];
const SINGLE = ['items', 'additionalProperties', 'not'];
const LISTED = ['items', 'prefixItems', 'allOf', 'anyOf', 'oneOf'];

/** Tells what of a schema cannot be used, and so is not checked. */
export function sayUnusable(root: unknown, say: (path: Path, message: string) => void): void {
  const todo: SchemaPlace[] = [{ schema: root, path: [] }];
  let count = 0;
  for (let next = todo.pop(); next; next = todo.pop()) {
    const { schema, path } = next;
    if (!isRecord(schema)) continue;
    count += 1;
    if (path.length > DEEPEST || count > MOST_SCHEMAS) {
      say(path, 'the schema is too deep or too large: from here on it is not checked');
      if (count > MOST_SCHEMAS) return;
      continue;
    }
    sayWrong(schema, path, root, say);
    for (const one of within(schema, path)) todo.push(one);
  }
}

function sayWrong(
  schema: Readonly<Record<string, unknown>>,
  path: Path,
  root: unknown,
  say: (path: Path, message: string) => void,
): void {
  const { $ref, pattern, patternProperties } = schema;
  if (typeof $ref === 'string' && !resolve(root, $ref)) {
    const reason = $ref.startsWith('#')
      ? 'leads nowhere'
      : 'leads out of the file, and other files are not fetched';
    say([...path, '$ref'], `${quoted($ref)} ${reason}`);
  }
  const sources = isRecord(patternProperties) ? Object.keys(patternProperties) : [];
  const patterns = [
    ...(typeof pattern === 'string' ? [{ source: pattern, at: ['pattern'] }] : []),
    ...sources.map((source) => ({ source, at: ['patternProperties', source] })),
  ];
  for (const { source, at } of patterns) {
    const compiled = compilePattern(source);
    if ('refused' in compiled) {
      say([...path, ...at], `the pattern ${quoted(source)} is not used: ${compiled.refused}`);
    }
  }
}

function within(schema: Readonly<Record<string, unknown>>, path: Path): SchemaPlace[] {
  const named = BY_NAME.flatMap((key) => {
    const schemas = schema[key];
    return isRecord(schemas)
      ? Object.entries(schemas).map(([name, one]) => ({ schema: one, path: [...path, key, name] }))
      : [];
  });
  const single = SINGLE.map((key) => ({ schema: schema[key], path: [...path, key] }));
  const listed = LISTED.flatMap((key) => {
    const schemas = schema[key];
    return Array.isArray(schemas)
      ? schemas.map((one: unknown, index) => ({ schema: one, path: [...path, key, index] }))
      : [];
  });
  return [...named, ...single, ...listed];
}
