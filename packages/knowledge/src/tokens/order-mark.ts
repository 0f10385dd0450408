import { NONE, type Vocabulary } from './vocabulary.ts';

/*
 * Our counts have to be those of gpt-tokenizer, which has a way of its own with byte order marks:
 * it finds no token that begins with one; and bytes to merge that are UTF-8 it decodes before it
 * looks for them, which drops a mark at their beginning.
 */

/** The rank of a piece as a whole. */
export function pieceRank(
  vocabulary: Vocabulary,
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  return beginsWithMark(bytes, start) ? NONE : vocabulary.rank(bytes, start, end);
}

/** The rank of a part of a piece; the byte after it is looked at too. */
export function partRank(
  vocabulary: Vocabulary,
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  if (end - start < 3 || !beginsWithMark(bytes, start)) return vocabulary.rank(bytes, start, end);
  const isUtf8 = ((bytes[end] as number) & 0xc0) !== 0x80;
  return isUtf8 && end - start > 3 ? vocabulary.rank(bytes, start + 3, end) : NONE;
}

function beginsWithMark(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf;
}
