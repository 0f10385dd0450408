import { invalidParams } from './protocol-error.ts';

const PAGE_SIZE = 200;

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

/** A page of a sorted list. The cursor names the last item, so that it survives changes. */
export function pageOf<Item>(
  items: readonly Item[],
  cursor: string | undefined,
  keyOf: (item: Item) => string,
  size = PAGE_SIZE,
): Page<Item> {
  const after = cursor === undefined ? undefined : decode(cursor);
  const start = after === undefined ? 0 : items.findIndex((item) => keyOf(item) > after);
  if (start < 0) return { items: [] };
  const page = items.slice(start, start + size);
  const last = page.at(-1);
  if (last === undefined || start + size >= items.length) return { items: page };
  return { items: page, nextCursor: encode(keyOf(last)) };
}

const PREFIX = 'after:';

function encode(key: string): string {
  return Buffer.from(PREFIX + key).toString('base64url');
}

function decode(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!text.startsWith(PREFIX) || encode(text.slice(PREFIX.length)) !== cursor) {
    throw invalidParams('Invalid cursor. Leave it out to start from the first page.');
  }
  return text.slice(PREFIX.length);
}
