/**
 * The hash of a stretch of bytes. It takes eight of them, from all over it: to take all would make
 * loading a third slower, for hardly fewer collisions.
 */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  const some =
    (bytes[start] as number) |
    ((bytes[end - 1] as number) << 8) |
    ((bytes[start + (length >> 1)] as number) << 16) |
    ((bytes[start + (length >> 2)] as number) << 24);
  const more =
    (bytes[start + ((3 * length) >> 2)] as number) |
    ((bytes[start + ((3 * length) >> 3)] as number) << 8) |
    ((bytes[start + ((5 * length) >> 3)] as number) << 16) |
    ((bytes[start + ((7 * length) >> 3)] as number) << 24);
  let hash = Math.imul(some ^ length, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15) ^ more, 0xc2b2ae35);
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
}

/** Whether the bytes from `start` to `end` are those of `other` from `otherStart` on. */
export function isSame(
  bytes: Uint8Array,
  start: number,
  end: number,
  other: Uint8Array,
  otherStart: number,
): boolean {
  const shift = otherStart - start;
  for (let at = start; at < end; at++) if (bytes[at] !== other[at + shift]) return false;
  return true;
}
