import { createHash } from 'node:crypto';
import { BatonError } from '@baton/core';
import type { SearchRequest } from './request.ts';

/** Where the next page begins. It belongs to one request and one version of the data. */
export function cursorAfter(place: number, version: string, request: SearchRequest): string {
  return `${place}.${fingerprint(place, version, request)}`;
}

export function placeOf(version: string, request: SearchRequest): number {
  const { cursor } = request;
  if (cursor === undefined) return 0;
  const [place = '', of, ...more] = cursor.split('.');
  const offset = /^\d{1,12}$/.test(place) ? Number(place) : -1;
  if (of === fingerprint(offset, version, request) && more.length === 0) return offset;
  throw new BatonError(
    'data_cursor_invalid',
    'This cursor is of another request, or the data has changed since.',
    'Leave the cursor out to start from the first page.',
  );
}

/** Pages may differ in length, and whoever repeats a request may write its keys in another order. */
function fingerprint(place: number, version: string, request: SearchRequest): string {
  const { cursor: _, limit: __, ...same } = request;
  return createHash('sha256')
    .update(JSON.stringify([place, version, same], sortedKeys))
    .digest('hex')
    .slice(0, 10);
}

function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
