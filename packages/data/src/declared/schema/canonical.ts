const DEEPEST = 64;

/** The same text for the same value, however its keys are ordered. */
export function canonical(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  if (depth >= DEEPEST) return '…';
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonical(item, depth + 1)).join(',')}]`;
  }
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const texts = entries.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one, depth + 1)}`);
  return `{${texts.join(',')}}`;
}
