import { escapeControls } from './text.ts';

/** Deeper than any answer of ours; a bound, so that no data can overflow the stack. */
const MAX_DEPTH = 40;

/** The same data with every string made safe to show. */
export function escapeData(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return escapeControls(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth > MAX_DEPTH) throw new RangeError(`Data nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) return value.map((item) => escapeData(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [escapeControls(key), escapeData(item, depth + 1)]),
  );
}

function scalar(value: unknown): string {
  return typeof value === 'string' ? value : String(value ?? 'none');
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}

function lines(value: unknown, indent: string): string[] {
  if (isScalar(value)) return scalar(value).split('\n').map((line) => indent + line);
  if (Array.isArray(value)) return value.flatMap((item) => bullet(item, indent));
  return Object.entries(value as object)
    .filter(([, item]) => item !== undefined)
    .flatMap(([key, item]) => entry(key, item, indent));
}

function bullet(item: unknown, indent: string): string[] {
  const [first = '', ...rest] = lines(item, `${indent}  `);
  return [`${indent}- ${first.trimStart()}`, ...rest];
}

function entry(key: string, item: unknown, indent: string): string[] {
  if (isScalar(item)) {
    const text = scalar(item);
    if (!text.includes('\n')) return [`${indent}${key}: ${text}`];
  } else if (Array.isArray(item) && item.every((each) => isScalar(each) && !scalar(each).includes('\n'))) {
    return [`${indent}${key}: ${item.length === 0 ? 'none' : item.map(scalar).join(', ')}`];
  } else if (Object.keys(item as object).length === 0) {
    return [`${indent}${key}: none`];
  }
  return [`${indent}${key}:`, ...lines(item, `${indent}  `)];
}

/**
 * The text that goes beside `structuredContent`: some clients show the model only one
 * of the two, so it states every fact of the data. One renderer for all tools keeps it true.
 */
export function renderText(data: object): string {
  return lines(data, '').join('\n');
}
