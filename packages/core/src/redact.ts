import { escapeLine, truncate } from './text.ts';

const SECRET_KEY = /token|secret|passw|authoriz|api[-_]?key|credential|cookie|private[-_]?key/i;
const LIMIT = 2000;

const MASK = '[redacted]';

/** A message as it may stand in a log: secrets masked, one line, capped. */
export function redact(value: unknown): string {
  try {
    const json = JSON.stringify(value, (key, item) => {
      if (SECRET_KEY.test(key) && key !== 'progressToken' && item !== null) return MASK;
      return key === 'env' ? withoutValues(item) : item;
    });
    return escapeLine(truncate(json ?? String(value), LIMIT));
  } catch {
    // Nested beyond the stack: logging must not fail where serving did not.
    return '[too deeply nested to show]';
  }
}

/** Which of the variables of a process are secret, nobody can tell from their names. */
function withoutValues(env: unknown): unknown {
  if (typeof env !== 'object' || env === null || Array.isArray(env)) return MASK;
  return Object.fromEntries(Object.keys(env).map((name) => [name, MASK]));
}
