import { DENIED_FAMILIES } from './denied-families.ts';
import { DENIED_WORDS } from './denied-words.ts';
import type { DenyRule } from './deny-rule.ts';
import { HARMLESS_KEYS } from './harmless.ts';
import { RUNS_FORMATTERS } from './runs-formatters.ts';
import { isBelow, wordsOf } from './setting-key.ts';
import { isRecord } from './setting-value.ts';

/** The rule that denies a key, whatever its value and whoever allows it. */
export function denialOf(key: string): DenyRule | undefined {
  if (HARMLESS_KEYS.has(key)) return undefined;
  return [...DENIED_FAMILIES, ...DENIED_WORDS].find((rule) => catches(rule, key));
}

/** The rule that denies a value that is not off, unless the user allows the key. */
export function denialOfValue(
  key: string,
  value: unknown,
  allowed: readonly string[],
): DenyRule | undefined {
  const isDenied = catches(RUNS_FORMATTERS, key) && !isOff(value) && !isAllowed(key, allowed);
  return isDenied ? RUNS_FORMATTERS : undefined;
}

/** A pattern is a key, or a family with `.*` behind it; anything else allows nothing. */
export function isAllowed(key: string, allowed: readonly string[]): boolean {
  return allowed.some((one) =>
    one.endsWith('.*') ? isBelow(key, one.slice(0, -'.*'.length)) : one === key,
  );
}

/** VS Code minds the case of keys. A rule does not: nobody needs what only looks like such a key. */
function catches({ families = [], words = [], parts = [] }: DenyRule, key: string): boolean {
  const lower = key.toLowerCase();
  const own = new Set(wordsOf(key));
  return (
    families.some((family) => `${lower}.`.startsWith(`${family.toLowerCase()}.`)) ||
    words.some((word) => own.has(word)) ||
    parts.some((part) => lower.includes(part))
  );
}

/** What switches off runs nothing; neither does what goes back to the choice of a person. */
function isOff(value: unknown): boolean {
  if (isRecord(value)) return Object.values(value).every(isOff);
  if (Array.isArray(value)) return value.length === 0;
  return [undefined, null, false, 'never', 'off'].some((off) => off === value);
}
