import { escapeControls, hasControls } from './text.ts';

/** Deeper than any answer of ours; a bound, so that no data can overflow the stack. */
const MAX_DEPTH = 40;

/** The same data with every string made safe to show. Most data is, and is returned as it is. */
export function escapeData<Data>(data: Data): Data {
  return isSafe(data, 0) ? data : (escaped(data) as Data);
}

function isSafe(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return !hasControls(value);
  if (value === null || typeof value !== 'object') return true;
  if (depth > MAX_DEPTH) throw new RangeError(`Data nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) return value.every((item) => isSafe(item, depth + 1));
  for (const key of Object.keys(value)) {
    if (hasControls(key)) return false;
    if (!isSafe((value as Record<string, unknown>)[key], depth + 1)) return false;
  }
  return true;
}

function escaped(value: unknown): unknown {
  if (typeof value === 'string') return escapeControls(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(escaped);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [escapeControls(key), escaped(item)]),
  );
}

/**
 * The text that goes beside `structuredContent`: some clients show the model only one
 * of the two, so it states every fact of the data. One renderer for all tools keeps it true.
 */
export function renderText(data: object): string {
  return block(data, '').slice(1);
}

/** Every line with a newline before it. */
function block(value: unknown, indent: string): string {
  if (isScalar(value)) return `\n${indent}${scalar(value).replaceAll('\n', `\n${indent}`)}`;
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) {
      text += `\n${indent}- ${block(item, `${indent}  `).slice(indent.length + 3)}`;
    }
    return text;
  }
  for (const key of Object.keys(value as object)) {
    const item = (value as Record<string, unknown>)[key];
    if (item === undefined) continue;
    const short = inline(item);
    text += `\n${indent}${key}:${short === undefined ? block(item, `${indent}  `) : ` ${short}`}`;
  }
  return text;
}

/** What fits behind the key on the same line. */
function inline(value: unknown): string | undefined {
  if (isScalar(value)) {
    const text = scalar(value);
    return text.includes('\n') ? undefined : text;
  }
  if (!Array.isArray(value)) return Object.keys(value as object).length === 0 ? 'none' : undefined;
  if (value.length === 0) return 'none';
  const isFlat = value.every((item) => isScalar(item) && !scalar(item).includes('\n'));
  return isFlat ? value.map(scalar).join(', ') : undefined;
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}

function scalar(value: unknown): string {
  return typeof value === 'string' ? value : String(value ?? 'none');
}
