import { BatonError } from '@baton/core';
import { lower, type Tree } from './parse.ts';

/** Of one list or text that a function makes of a number. */
const MAX_LENGTH = 10_000_000;

const NUMBERS = new Set(['INTEGER', 'BIGINT', 'DOUBLE']);

type Literal = number | string | undefined;

/** How long a value functions make in a single step, by their literal arguments. */
const LENGTHS: Readonly<Record<string, (...args: readonly Literal[]) => number>> = {
  array_resize: (_list, length) => number(length),
  bitstring: (_bits, length) => number(length),
  format: widest,
  generate_series: steps,
  list_resize: (_list, length) => number(length),
  lpad: (_text, length) => number(length),
  printf: widest,
  range: steps,
  repeat: (_value, count) => number(count),
  rpad: (_text, length) => number(length),
};

/**
 * Refuses a call that would make one huge value: the engine cannot be interrupted while it does, and
 * such a statement ends with its process. That ends the ones whose numbers are computed, too; here
 * they only get a reason that helps.
 */
export function checkLength(tree: Tree): void {
  const called = lower(String(tree['function_name']));
  if (!Object.hasOwn(LENGTHS, called)) return;
  const length = LENGTHS[called]?.(...literals(tree['children'])) ?? 0;
  if (length <= MAX_LENGTH) return;
  throw new BatonError(
    'data_query_refused',
    `${called} would make a single value of length ${length} here; ${MAX_LENGTH} is the most.`,
    'Use a smaller number. FROM range(…) makes rows, as many as are wanted.',
  );
}

function literals(children: unknown): Literal[] {
  return Array.isArray(children) ? children.map((child: Tree) => literal(child['value'])) : [];
}

function literal(constant: unknown): Literal {
  const { type, value } = (constant ?? {}) as { type?: { id?: string }; value?: unknown };
  if (type?.id === 'VARCHAR') return String(value);
  return NUMBERS.has(type?.id ?? '') ? Number(value) : undefined;
}

function number(of: Literal): number {
  return typeof of === 'number' ? of : 0;
}

/** Of `range(end)`, `range(start, end)` and `range(start, end, step)`, if all of them are numbers. */
function steps(...args: readonly Literal[]): number {
  if (args.some((arg) => typeof arg !== 'number')) return 0;
  const [first = 0, end, step = 1] = args.map(number);
  const span = end === undefined ? first : end - first;
  return step === 0 ? 0 : Math.floor(span / step);
}

/** The largest width or precision in a pattern such as `{:>10}` or `%10.2f`. */
function widest(pattern: Literal): number {
  if (typeof pattern !== 'string') return 0;
  const widths = [...pattern.matchAll(/\{[^{}]*:[^{}]*\}|%[-+ #0']*[\d.]+/g)].flatMap(([place]) =>
    [...place.matchAll(/\d+/g)].map(([digits]) => Number(digits)),
  );
  return Math.max(0, ...widths);
}
