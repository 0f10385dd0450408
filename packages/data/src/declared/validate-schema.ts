import { isRecord } from './place.ts';
import { compilePattern, type Pattern } from './schema/pattern.ts';
import { hasOwn, resolve } from './schema/reference.ts';
import { SCALAR_KEYWORDS, shown } from './schema/scalar-keywords.ts';
import { fieldSchemas } from './schema/schema-fields.ts';

interface RecordProblem {
  /** `address.city` or `skills[2]`; empty for the record itself. */
  readonly path: string;
  readonly message: string;
}

export interface Validator {
  /** Any JSON, as the schema says. */
  check(value: unknown): RecordProblem[];
  /** A row: a field without a value is missing, unless its schema allows null. */
  checkRow(row: Readonly<Record<string, unknown>>): RecordProblem[];
}

/** Of one check. */
interface Run {
  readonly root: unknown;
  readonly patterns: Map<string, Pattern>;
  steps: number;
  readonly unchecked: Set<string>;
}

interface At {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly path: string;
  readonly depth: number;
  readonly run: Run;
}

type Keyword = (rule: unknown, value: unknown, at: At) => readonly RecordProblem[];

const DEEPEST = 64;
const MOST_STEPS = 100_000;
const MOST_PROBLEMS = 20;
const LONGEST_TESTED = 4096;

const NONE: readonly RecordProblem[] = [];

const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ['$ref', reference],
  ['required', required],
  ['properties', properties],
  ['patternProperties', patternProperties],
  ['additionalProperties', additionalProperties],
  ['items', items],
  ['prefixItems', (rule, value, at) => (Array.isArray(rule) ? items(rule, value, at) : NONE)],
  ['pattern', pattern],
  ['allOf', allOf],
  ['anyOf', anyOf],
  ['oneOf', oneOf],
  ['not', not],
]);

/** Checks values by a schema: the usual keywords, all in bounded time. Others are ignored. */
export function createValidator(root: unknown): Validator {
  const patterns = new Map<string, Pattern>();
  const start = (): Run => ({ root, patterns, steps: 0, unchecked: new Set() });
  const check = (value: unknown): RecordProblem[] => {
    const run = start();
    const problems = checkValue(root, value, '', 0, run).slice(0, MOST_PROBLEMS);
    return [...problems, ...[...run.unchecked].map((message) => ({ path: '', message }))];
  };
  const run = start();
  const fits = (schema: unknown, value: unknown) =>
    checkValue(schema, value, '', 0, run).length === 0;
  // A schema that even lets undefined pass has not thought of null.
  const nullable = [...fieldSchemas(root)].filter(
    ([, schema]) => fits(schema, null) && !fits(schema, undefined),
  );
  const withNull = new Set(nullable.map(([name]) => name));
  return {
    check,
    checkRow: (row) =>
      check(
        Object.fromEntries(
          Object.entries(row).filter(([name, value]) => value !== null || withNull.has(name)),
        ),
      ),
  };
}

function checkValue(
  schema: unknown,
  value: unknown,
  path: string,
  depth: number,
  run: Run,
): readonly RecordProblem[] {
  if (schema === false) return [{ path, message: 'nothing is allowed here' }];
  if (!isRecord(schema)) return NONE;
  run.steps += 1;
  if (depth > DEEPEST || run.steps > MOST_STEPS) {
    run.unchecked.add(
      'not all of it was checked: the schema or the value leads too deep or too far',
    );
    return NONE;
  }
  const at = { schema, path, depth: depth + 1, run };
  const problems: RecordProblem[] = [];
  for (const [name, rule] of Object.entries(schema)) {
    const message = SCALAR_KEYWORDS.get(name)?.(rule, value, schema);
    if (message !== undefined) problems.push({ path, message });
    problems.push(...(KEYWORDS.get(name)?.(rule, value, at) ?? NONE));
    if (problems.length >= MOST_PROBLEMS) break;
  }
  return problems;
}

function under(schema: unknown, value: unknown, at: At, path: string): readonly RecordProblem[] {
  return checkValue(schema, value, path, at.depth, at.run);
}

/** Only as many as are told. */
function each<Item>(
  all: Iterable<Item>,
  check: (item: Item) => readonly RecordProblem[],
): readonly RecordProblem[] {
  const problems: RecordProblem[] = [];
  for (const item of all) {
    problems.push(...check(item));
    if (problems.length >= MOST_PROBLEMS) break;
  }
  return problems;
}

function reference(rule: unknown, value: unknown, at: At): readonly RecordProblem[] {
  const found = typeof rule === 'string' ? resolve(at.run.root, rule) : undefined;
  return found ? under(found.schema, value, at, at.path) : NONE;
}

function required(rule: unknown, value: unknown, { path }: At): readonly RecordProblem[] {
  if (!Array.isArray(rule) || !isRecord(value)) return NONE;
  const missing = rule.filter((name) => typeof name === 'string' && !Object.hasOwn(value, name));
  return missing
    .slice(0, MOST_PROBLEMS)
    .map((name) => ({ path: join(path, name), message: 'it is missing' }));
}

function properties(rule: unknown, value: unknown, at: At): readonly RecordProblem[] {
  if (!isRecord(rule) || !isRecord(value)) return NONE;
  return each(Object.entries(value), ([name, one]) =>
    Object.hasOwn(rule, name) ? under(rule[name], one, at, join(at.path, name)) : NONE,
  );
}

function patternProperties(rule: unknown, value: unknown, at: At): readonly RecordProblem[] {
  if (!isRecord(rule) || !isRecord(value)) return NONE;
  return each(Object.entries(rule), ([source, schema]) =>
    each(Object.entries(value), ([name, one]) =>
      matches(source, name, at.run) === true ? under(schema, one, at, join(at.path, name)) : NONE,
    ),
  );
}

function additionalProperties(rule: unknown, value: unknown, at: At): readonly RecordProblem[] {
  if (!isRecord(value)) return NONE;
  const { properties: named, patternProperties: patterned } = at.schema;
  const sources = isRecord(patterned) ? Object.keys(patterned) : [];
  return each(Object.entries(value), ([name, one]) => {
    if (hasOwn(named, name)) return NONE;
    // A pattern that cannot be used could be the one that allows it.
    if (sources.some((source) => matches(source, name, at.run) !== false)) return NONE;
    const path = join(at.path, name);
    if (rule === false) return [{ path, message: 'the schema knows no such field' }];
    return under(rule, one, at, path);
  });
}

/** One schema for all, or in older drafts one for each place. */
function items(rule: unknown, value: unknown, at: At): readonly RecordProblem[] {
  if (!Array.isArray(value)) return NONE;
  const first = Array.isArray(at.schema['prefixItems']) ? at.schema['prefixItems'].length : 0;
  return each(value.entries(), ([index, one]) => {
    if (Array.isArray(rule)) return under(rule[index], one, at, `${at.path}[${index}]`);
    return index < first ? NONE : under(rule, one, at, `${at.path}[${index}]`);
  });
}

function pattern(rule: unknown, value: unknown, { path, run }: At): readonly RecordProblem[] {
  if (typeof rule !== 'string' || typeof value !== 'string') return NONE;
  if (matches(rule, value, run) !== false) return NONE;
  return [{ path, message: `expected the pattern ${shown(rule)}; it is ${shown(value)}` }];
}

/** Nothing if it cannot be told. */
function matches(source: string, text: string, run: Run): boolean | undefined {
  if (text.length > LONGEST_TESTED) {
    run.unchecked.add(`texts of more than ${LONGEST_TESTED} characters are not tested by patterns`);
    return undefined;
  }
  const compiled = run.patterns.get(source) ?? compilePattern(source);
  run.patterns.set(source, compiled);
  return 'matches' in compiled ? compiled.matches(text) : undefined;
}

function branches(rule: unknown, value: unknown, at: At): readonly (readonly RecordProblem[])[] {
  return Array.isArray(rule) ? rule.map((schema) => under(schema, value, at, at.path)) : [];
}

function allOf(rule: unknown, value: unknown, at: At): readonly RecordProblem[] {
  if (!Array.isArray(rule)) return NONE;
  return each(rule, (schema) => under(schema, value, at, at.path));
}

function anyOf(rule: unknown, value: unknown, at: At): readonly RecordProblem[] {
  const tried = branches(rule, value, at);
  if (tried.length === 0 || tried.some(({ length }) => length === 0)) return NONE;
  return [{ path: at.path, message: `it fits none of ${tried.length} schemas` }];
}

function oneOf(rule: unknown, value: unknown, at: At): readonly RecordProblem[] {
  const tried = branches(rule, value, at);
  const fitting = tried.filter(({ length }) => length === 0).length;
  if (tried.length === 0 || fitting === 1) return NONE;
  const message = `it fits ${fitting || 'none'} of ${tried.length} schemas, and should fit one`;
  return [{ path: at.path, message }];
}

function not(rule: unknown, value: unknown, at: At): readonly RecordProblem[] {
  const isSchema = isRecord(rule) || typeof rule === 'boolean';
  if (!isSchema || under(rule, value, at, at.path).length > 0) return NONE;
  return [{ path: at.path, message: 'it fits what the schema excludes' }];
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
