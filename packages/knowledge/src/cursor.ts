import { createHash } from 'node:crypto';
import { BatonError } from '@baton/core';

/** Where the next page of an answer begins. It belongs to one request. */
export function cursorAfter(place: number, request: object): string {
  // Short and plain: whoever reads an answer pays for it.
  return `${place}.${fingerprint(request)}`;
}

export function placeOf(cursor: string | undefined, request: object): number {
  if (cursor === undefined) return 0;
  const [place = '', of, ...more] = cursor.split('.');
  if (/^\d{1,6}$/.test(place) && of === fingerprint(request) && more.length === 0)
    return Number(place);
  throw new BatonError(
    'bad_cursor',
    'This cursor does not belong to this request.',
    'Repeat the request as it was, or leave the cursor out to start from the first page.',
  );
}

function fingerprint(request: object): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 8);
}
