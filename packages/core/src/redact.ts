import { escapeLine, truncate } from './text.ts';

const SECRET_KEY = /token|secret|passw|authoriz|api[-_]?key|credential|cookie|private[-_]?key/i;
const LIMIT = 2000;

/** A message as it may stand in a log: secrets masked, one line, capped. */
export function redact(value: unknown): string {
  try {
    const json = JSON.stringify(value, (key, item) =>
      SECRET_KEY.test(key) && key !== 'progressToken' && item !== null ? '[redacted]' : item,
    );
    return escapeLine(truncate(json ?? String(value), LIMIT));
  } catch {
    // Nested beyond the stack: logging must not fail where serving did not.
    return '[too deeply nested to show]';
  }
}
