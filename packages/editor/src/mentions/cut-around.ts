/** So much of the room stands before the place. */
const SHARE_BEFORE = 1 / 3;

/** The part of a long line around a place in it: about `most` characters, and always valid. */
export function cutAround(line: string, at: number, most: number): string {
  const first = Math.max(0, Math.min(at - Math.floor(most * SHARE_BEFORE), line.length - most));
  const start = splitsPair(line, first) ? first + 1 : first;
  const last = Math.min(line.length, first + most);
  const end = splitsPair(line, last) ? last - 1 : last;
  const part = line.slice(start, end).replace(/\p{Surrogate}/gu, '\ufffd');
  return `${start > 0 ? '…' : ''}${part}${end < line.length ? '…' : ''}`;
}

function splitsPair(text: string, at: number): boolean {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
