import { denialOf, denialOfValue, isAllowed } from './denial.ts';
import { HARMLESS_FAMILIES, HARMLESS_KEYS, OBJECT_KEYS } from './harmless.ts';
import { isBelow, isKey, isLanguageKey, isPrototypeName } from './setting-key.ts';
import { holdsObject, isRecord, troubleWith } from './setting-value.ts';

/** Why a setting must not be written by an agent. */
export interface Refusal {
  /** Public and stable: errors name it. */
  readonly rule: string;
  readonly why: string;
  /** The key that is meant: of a block for a language, the one in it. */
  readonly key: string;
}

const REASONS = {
  'invalid-key': 'it is no key of a setting',
  'invalid-value': 'its value is no JSON, too large, or not of a kind that this setting has',
  'not-known': 'it is not known to be harmless',
  prototype: 'it names what all objects share',
  'refers-to-command': 'its value refers to a command or to the environment',
} as const;

/**
 * Why an agent may not give a setting this value, where `undefined` means to remove it. Only what
 * is known to be harmless may be written, and what the user allows (`prettier.*`, `prettier.semi`)
 * as long as no rule denies it. `before` is its value until now: a block for a language replaces
 * all that was in it, so what it leaves out is judged as removed, and what it keeps is not judged.
 */
export function refusalOf(
  key: string,
  value: unknown,
  allowed: readonly string[] = [],
  before?: unknown,
): Refusal | undefined {
  if (typeof key !== 'string') return refusal('invalid-key', '');
  if (!isLanguageKey(key)) return refusalOfOne(key, value, allowed);
  if (key.split(/[[\].]/).some(isPrototypeName)) return refusal('prototype', key);
  const trouble = value === undefined ? undefined : troubleWith(value);
  if (trouble) return refusal(trouble, key);
  if (value !== undefined && !isRecord(value)) return refusal('invalid-value', key);
  return first(changesIn(value ?? {}, before), ([inner, one]) => refusalOfOne(inner, one, allowed));
}

/** What is different in a block afterwards; what is gone has no value. */
function changesIn(
  block: Readonly<Record<string, unknown>>,
  before: unknown,
): (readonly [string, unknown])[] {
  const old = isRecord(before) ? before : {};
  const isKept = (name: string) =>
    Object.hasOwn(old, name) && JSON.stringify(old[name]) === JSON.stringify(block[name]);
  const gone = Object.keys(old).filter((name) => !Object.hasOwn(block, name));
  return [
    ...Object.entries(block).filter(([name]) => !isKept(name)),
    ...gone.map((name) => [name, undefined] as const),
  ];
}

function refusalOfOne(
  key: string,
  value: unknown,
  allowed: readonly string[],
): Refusal | undefined {
  if (key.split('.').some(isPrototypeName)) return refusal('prototype', key);
  if (!isKey(key)) return refusal('invalid-key', key);
  const denial = denialOf(key);
  if (denial) return { rule: denial.name, why: denial.why, key };
  const trouble = value === undefined ? undefined : troubleWith(value);
  if (trouble) return refusal(trouble, key);
  const denialByValue = denialOfValue(key, value, allowed);
  if (denialByValue) return { rule: denialByValue.name, why: denialByValue.why, key };
  if (isAllowed(key, allowed)) return denialInside(key, value, allowed);
  const isHarmless = HARMLESS_KEYS.has(key) || HARMLESS_FAMILIES.some((one) => isBelow(key, one));
  if (!isHarmless) return refusal('not-known', key);
  return holdsObject(value) && !OBJECT_KEYS.has(key) ? refusal('invalid-value', key) : undefined;
}

function refusal(rule: keyof typeof REASONS, key: string): Refusal {
  return { rule, why: REASONS[rule], key };
}

/** VS Code takes the names in an object for the rest of a key, so each is judged as one. */
function denialInside(
  key: string,
  value: unknown,
  allowed: readonly string[],
): Refusal | undefined {
  if (Array.isArray(value)) return first(value, (one) => denialInside(key, one, allowed));
  if (!isRecord(value)) return undefined;
  return first(Object.entries(value), ([name, one]) => {
    const inner = `${key}.${name}`;
    const denial = denialOf(inner) ?? denialOfValue(inner, one, allowed);
    if (denial) return { rule: denial.name, why: denial.why, key: inner };
    return denialInside(inner, one, allowed);
  });
}

function first<T>(all: readonly T[], judge: (one: T) => Refusal | undefined): Refusal | undefined {
  for (const one of all) {
    const found = judge(one);
    if (found) return found;
  }
  return undefined;
}
