import type { z } from 'zod';
import { BatonError } from './errors.ts';
import { schemaProblems } from './schema-problems.ts';
import { nearest, truncate } from './text.ts';

function pathOf(issue: z.core.$ZodIssue): string {
  return issue.path.map(String).join('.');
}

function unknownKeys(keys: readonly string[], where: string, known: readonly string[]): string {
  const named = keys.slice(0, 5).map((key) => {
    const meant = nearest(key, known);
    return JSON.stringify(truncate(key, 60)) + (meant ? ` (did you mean "${meant}"?)` : '');
  });
  const more = keys.length > 5 ? ` and ${keys.length - 5} more` : '';
  const list = known.length > 0 ? `Known keys: ${known.join(', ')}.` : 'It takes no arguments.';
  return `Unknown key ${named.join(', ')}${more}${where ? ` in ${where}` : ''}. ${list}`;
}

/** The keys of the object schema at a path, so that the message can list them. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let current: unknown = schema;
  for (const step of path) {
    current = unwrap(current);
    const shape = (current as { shape?: Record<string, unknown> }).shape;
    current = shape ? shape[String(step)] : (current as { element?: unknown }).element;
  }
  return Object.keys((unwrap(current) as { shape?: object } | undefined)?.shape ?? {});
}

function unwrap(schema: unknown): unknown {
  let current = schema as { def?: { innerType?: unknown } } | undefined;
  while (current?.def?.innerType) current = current.def.innerType as typeof current;
  return current;
}

/** Says everything that is wrong with the arguments in one go. */
export function invalidInput(
  tool: string,
  schema: z.ZodObject,
  args: unknown,
  error: z.ZodError,
): BatonError {
  const problems = error.issues.slice(0, 8).map((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return unknownKeys(issue.keys, pathOf(issue), keysAt(schema, issue.path));
    }
    // What fits none of several shapes is measured against the one that was meant.
    if (issue.code === 'invalid_union') {
      return schemaProblems(schema, args, [issue])
        .map(({ message }) => message)
        .join(' ');
    }
    const path = pathOf(issue);
    return path ? `${path}: ${issue.message}.` : `${issue.message}.`;
  });
  const more = error.issues.length > 8 ? ` (and ${error.issues.length - 8} more problems)` : '';
  return new BatonError(
    'invalid_input',
    `Invalid arguments for ${tool}: ${problems.join(' ')}${more}`,
    'Correct the arguments and call again.',
    { cause: error },
  );
}
