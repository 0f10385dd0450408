import type { z } from 'zod';
import { hasOwn, keysOf, optionsOf, type Path, schemaAt, valueAt } from './schema-walk.ts';
import { nearest, truncate } from './text.ts';

export interface SchemaProblem {
  readonly path: Path;
  /** Whether the key is wrong and not its value. */
  readonly isKey: boolean;
  readonly message: string;
}

/** `kind` tells how well a value fits one of several schemas. */
interface Found {
  readonly path: Path;
  readonly kind: 'key' | 'type' | 'discriminator' | 'value';
  readonly text: string;
  /** What would be right. Then the text is made of it. */
  readonly expected?: readonly string[];
}

/** What Zod found, worded for whoever wrote the file. `whole` is what all of the value is called. */
export function schemaProblems(
  schema: z.ZodType,
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
  whole = 'The file',
): SchemaProblem[] {
  return issues
    .flatMap((issue) => foundIn(issue, schema, value, []))
    .map((found) => ({
      path: found.path,
      isKey: found.kind === 'key',
      message: worded(found, value, whole),
    }));
}

/** The schema and the value are those at `base`, from where the issue's path leads on. */
function foundIn(
  issue: z.core.$ZodIssue,
  schema: unknown,
  value: unknown,
  base: Path,
): readonly Found[] {
  const path = [...base, ...issue.path];
  const there = valueAt(value, issue.path);
  const expected = isGeneric(issue) ? expectedBy(issue) : undefined;
  const text = issue.message;
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = keysOf(schemaAt(schema, issue.path, value), there);
      return issue.keys.map((key) => unknownKey([...path, key], key, known));
    }
    case 'invalid_key':
      return [{ path, kind: 'key', text: badKey(issue) }];
    case 'invalid_union': {
      const options = optionsOf(schemaAt(schema, issue.path, value));
      if (issue.errors.length > 0) return bestOf(issue.errors, options, there, path);
      return [{ path, kind: 'discriminator', text, ...(expected && { expected }) }];
    }
    default:
      return [{ path, kind: kindOf(issue), text, ...(expected && { expected }) }];
  }
}

function kindOf(issue: z.core.$ZodIssue): Found['kind'] {
  if (issue.code === 'invalid_type') return 'type';
  return issue.code === 'invalid_value' && issue.values.length === 1 ? 'discriminator' : 'value';
}

/** A schema may have messages of its own, which are better than ours. */
function isGeneric({ message }: z.core.$ZodIssue): boolean {
  return /^Invalid (input|option|discriminator)/.test(message);
}

function expectedBy(issue: z.core.$ZodIssue): string[] | undefined {
  if (issue.code === 'invalid_type') return [issue.expected];
  if (issue.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(value));
  const options = issue.code === 'invalid_union' && 'options' in issue ? issue.options : undefined;
  return options?.map((value) => JSON.stringify(value));
}

/**
 * A value that fits none of several schemas is measured against the one that was meant: of the
 * same type, then with the same discriminator, then the one that failed deepest.
 */
function bestOf(
  errors: readonly (readonly z.core.$ZodIssue[])[],
  options: readonly unknown[],
  value: unknown,
  path: Path,
): readonly Found[] {
  const branches = errors.map((issues, index) =>
    issues.flatMap((issue) => foundIn(issue, options[index], value, path)),
  );
  const misfits = (branch: readonly Found[]) =>
    branch.filter(
      (found) =>
        (found.kind === 'type' && found.path.length === path.length) ||
        (found.kind === 'discriminator' && found.path.length <= path.length + 1),
    );
  const distance = (branch: readonly Found[]) =>
    Math.max(0, ...misfits(branch).map(({ kind }) => (kind === 'type' ? 2 : 1)));
  const least = Math.min(...branches.map(distance));
  const nearby = branches.filter((branch) => distance(branch) === least);
  if (least > 0 && nearby.length > 1) {
    const merged = merge(nearby.flatMap(misfits));
    if (merged) return [merged];
  }
  const depth = (branch: readonly Found[]) => Math.max(...branch.map((found) => found.path.length));
  return nearby.sort((a, b) => depth(b) - depth(a) || a.length - b.length)[0] ?? [];
}

/** What several schemas expect at one place. */
function merge(misfits: readonly Found[]): Found | undefined {
  const [first] = misfits;
  const isOnePlace = misfits.every(
    ({ path, expected }) => expected && String(path) === String(first?.path),
  );
  if (!first || !isOnePlace) return undefined;
  return { ...first, expected: [...new Set(misfits.flatMap(({ expected = [] }) => expected))] };
}

function badKey({ path, issues, message }: z.core.$ZodIssueInvalidKey): string {
  const key = JSON.stringify(truncate(String(path.at(-1)), 60));
  return `Key ${key}: ${issues[0]?.message ?? message}.`;
}

function unknownKey(path: Path, key: string, known: readonly string[]): Found {
  const meant = nearest(key, known);
  const hint = meant === undefined ? '' : ` (did you mean "${meant}"?)`;
  const list = known.length > 0 ? ` Known keys: ${known.join(', ')}.` : '';
  const text = `Unknown key ${JSON.stringify(truncate(key, 60))}${hint}.${list}`;
  return { path, kind: 'key', text };
}

function worded({ path, kind, text, expected }: Found, root: unknown, whole: string): string {
  const where = path.map(String).join('.');
  if (kind === 'key') return text;
  if (!expected) return where ? `${where}: ${text}.` : `${text}.`;
  const wanted = `expected ${expected.join(' or ')}`;
  const isMissing = path.length > 0 && !hasOwn(valueAt(root, path.slice(0, -1)), path.at(-1) ?? '');
  if (isMissing) return `${where} is missing: ${wanted}.`;
  const value = valueAt(root, path);
  if (kind === 'type') return `${where || whole}: ${wanted}, received ${typeName(value)}.`;
  const meant = typeof value === 'string' ? nearest(JSON.stringify(value), expected) : undefined;
  return `${where}: ${wanted}${meant === undefined ? '' : ` (did you mean ${meant}?)`}.`;
}

function typeName(value: unknown): string {
  if (value === null) return 'nothing';
  return Array.isArray(value) ? 'array' : typeof value;
}
