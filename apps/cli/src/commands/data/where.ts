import { UsageError } from '../../usage-error.ts';

type Scalar = string | number | boolean;

const OPERATORS = {
  '!=': '$ne',
  '<=': '$lte',
  '>=': '$gte',
  '=': '$eq',
  '<': '$lt',
  '>': '$gt',
  '~': '$contains',
} as const;

const OPERATOR = /!=|<=|>=|[=<>~]/;
/** A name is quoted if it has an operator in it. */
const QUOTED_NAME = /^!?"(?:[^"]|"")*"/;
const QUOTED = /^"((?:[^"]|"")*)"$/;
const NEXT =
  "Write 'salary>=50000', 'department=Engineering', 'title~developer' (contains), 'email?' (there is one) or '!email' (there is none).";

/** A condition as people write it, as a filter of data_search. */
export function readWhere(text: string): object {
  const { name, operator, value } = split(text.trim());
  if (operator === undefined) return readPresence(text, name);
  const field = nameOf(text, name);
  if (value === '') throw noValue(text, field);
  if (/^[=<>~]/.test(value)) throw unreadable(text, `${operator}${value[0]} is no operator.`);
  if (operator === '~') return { [field]: { $contains: textOf(value) } };
  return { [field]: { [OPERATORS[operator as keyof typeof OPERATORS]]: scalarOf(value) } };
}

function split(text: string) {
  const [quoted = ''] = QUOTED_NAME.exec(text) ?? [];
  const found = OPERATOR.exec(text.slice(quoted.length));
  if (!found) return { name: text, operator: undefined, value: '' };
  const [operator] = found;
  const at = quoted.length + found.index;
  return {
    name: text.slice(0, at).trim(),
    operator,
    value: text.slice(at + operator.length).trim(),
  };
}

function readPresence(text: string, name: string): object {
  const [, not, wanted = '', asks] = /^(!?)(.*?)(\??)$/s.exec(name) ?? [];
  if (Boolean(not) === Boolean(asks)) throw unreadable(text, 'It has no operator.');
  return { [nameOf(text, wanted.trim())]: { $exists: asks === '?' } };
}

function nameOf(text: string, name: string): string {
  if (name.startsWith('!')) throw unreadable(text, '! stands before a field and nothing else.');
  const field = unquoted(name) ?? name;
  if (field === '') throw unreadable(text, 'It names no field.');
  return field;
}

/** A number only if it is written as one: 007 and long digits stay as they are. */
function scalarOf(value: string): Scalar {
  if (value === 'true' || value === 'false') return value === 'true';
  return String(Number(value)) === value && Number.isFinite(Number(value))
    ? Number(value)
    : textOf(value);
}

function textOf(value: string): string {
  return unquoted(value) ?? value;
}

function unquoted(text: string): string | undefined {
  return QUOTED.exec(text)?.[1]?.replaceAll('""', '"');
}

function noValue(text: string, field: string): UsageError {
  return new UsageError(
    `--where ${JSON.stringify(text)} has no value.`,
    `'!${field}' finds records without one, '${field}=""' those with an empty text.`,
  );
}

function unreadable(text: string, why: string): UsageError {
  return new UsageError(`--where ${JSON.stringify(text)} cannot be read. ${why}`, NEXT);
}
