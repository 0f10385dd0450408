const LONGEST = 200;
const KEY = /^[A-Za-z0-9_/-]+(?:\.[A-Za-z0-9_/-]+)*$/;
const LANGUAGES = /^(?:\[[A-Za-z0-9_.+#-]+\])+$/;
/** A run of capitals is one word up to the capital of the next: `HTTPProxy`. */
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;
const OF_PROTOTYPES = new Set(['__proto__', 'constructor', 'prototype']);

export function isKey(key: string): boolean {
  return key.length <= LONGEST && KEY.test(key);
}

/** `[typescript]` or `[javascript][typescript]`: its value holds settings for these languages. */
export function isLanguageKey(key: string): boolean {
  return key.length <= LONGEST && LANGUAGES.test(key);
}

/** A name by which the prototype of an object could be reached. */
export function isPrototypeName(name: string): boolean {
  return OF_PROTOTYPES.has(name.toLowerCase());
}

export function isBelow(key: string, family: string): boolean {
  return key.startsWith(`${family}.`);
}

/** The words of a spelling: of `eslint.nodePath` these are `eslint`, `node` and `path`. */
export function wordsOf(key: string): string[] {
  return (key.match(WORD) ?? []).map((word) => word.toLowerCase());
}
