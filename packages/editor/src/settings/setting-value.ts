import { isPrototypeName } from './setting-key.ts';

const DEEPEST = 20;
const MOST_VALUES = 10_000;
const MOST_CHARACTERS = 100_000;
/** Extensions replace these in their settings, and links with them run what they name. */
const COMMANDS = ['command:', '${env:', '${input:'];

type Trouble = 'prototype' | 'refers-to-command' | 'invalid-value';

interface Place {
  readonly value: unknown;
  readonly depth: number;
}

/** What is wrong with a value whatever its key is. Never calls itself, so no depth can hurt. */
export function troubleWith(root: unknown): Trouble | undefined {
  const todo: Place[] = [{ value: root, depth: 0 }];
  let values = 0;
  let characters = 0;
  for (let next = todo.pop(); next; next = todo.pop()) {
    const { value, depth } = next;
    const inside = insideOf(value, depth);
    if (!inside) return 'invalid-value';
    values += 1;
    const texts = textsOf(value);
    characters += texts.reduce((sum, text) => sum + text.length, 0);
    const isTooLarge = values + todo.length + inside.length > MOST_VALUES;
    if (isTooLarge || characters > MOST_CHARACTERS) return 'invalid-value';
    if (isRecord(value) && texts.some(isPrototypeName)) return 'prototype';
    if (texts.some(refersToCommand)) return 'refers-to-command';
    for (const one of inside) todo.push({ value: one, depth: depth + 1 });
  }
  return undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** For values without trouble, which are not deep. */
export function holdsObject(value: unknown): boolean {
  return Array.isArray(value) ? value.some(holdsObject) : isRecord(value);
}

/** The values in a value of JSON; `undefined` if it is none, or too deep. */
function insideOf(value: unknown, depth: number): readonly unknown[] | undefined {
  if (depth > DEEPEST) return undefined;
  if (Array.isArray(value)) return value.length > MOST_VALUES ? undefined : [...value];
  if (isRecord(value)) {
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null ? Object.values(value) : undefined;
  }
  const isScalar = value === null || ['string', 'boolean'].includes(typeof value);
  return isScalar || Number.isFinite(value) ? [] : undefined;
}

function textsOf(value: unknown): readonly string[] {
  if (isRecord(value)) return Object.keys(value);
  return typeof value === 'string' ? [value] : [];
}

function refersToCommand(text: string): boolean {
  const lower = text.toLowerCase();
  return COMMANDS.some((command) => lower.includes(command));
}
