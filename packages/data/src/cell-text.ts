import type { Cell } from './model.ts';

/** A value on one line. */
export function cellText(value: Cell | undefined): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/\r\n|[\r\n]/g, '\\n');
}
