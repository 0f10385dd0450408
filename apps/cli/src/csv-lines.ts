import { escapeControls } from '@baton/core';

/** Spreadsheets run what begins so, also after blanks and in its wide forms. */
const FORMULA = /^(?:[\s\p{Z}\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|\s*[\t\r])/u;
const NUMBER = /^ *[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)? *$/i;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$|^$/;

/** Lines of CSV (RFC 4180). What a spreadsheet would run stands behind an apostrophe. */
export function csvLines(
  header: readonly string[],
  rows: Iterable<readonly unknown[]>,
): readonly string[] {
  const lines = [header, ...rows].map((row) => row.map(csvCell).join(','));
  // Many readers skip an empty line, and a record with it.
  return lines.map((line) => (line === '' ? '""' : line));
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const isRun = FORMULA.test(text) && !NUMBER.test(text);
  const safe = escapeControls(isRun ? `'${text}` : text);
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
