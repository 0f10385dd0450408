/** What a character can be in a piece of text, as flags: one character can be several. */
export const CAPITAL = 1;
export const SMALL = 2;
export const NUMBER = 4;
export const SPACE = 8;
export const NEWLINE = 16;
/** Neither space, letter nor number. */
export const SIGN = 32;
/** May stand before the letters of a word. */
export const OPENING = 64;
const KNOWN = 128;

/** Stands after the last byte of a text: it is in no UTF-8, and has no flags. */
export const END_MARK = 0xff;

// The first that fits. In the pattern of o200k, letters without a case and marks are both capital
// and small, and a mark is a sign too.
const KINDS: readonly (readonly [kind: RegExp, flags: number])[] = [
  [/\p{Ll}/u, SMALL],
  [/[\p{Lu}\p{Lt}]/u, CAPITAL],
  [/[\p{Lm}\p{Lo}]/u, CAPITAL | SMALL],
  [/\p{M}/u, CAPITAL | SMALL | SIGN | OPENING],
  [/\p{N}/u, NUMBER],
  [/[\r\n]/u, SPACE | NEWLINE],
  [/\s/u, SPACE | OPENING],
];

/** By code point, filled as they are met: pages that are never touched take no memory. */
const known = new Uint8Array(0x110000);

export function flagsAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  if (lead < 0x80) return known[lead] || learn(lead);
  if (lead === END_MARK) return 0;
  const point = pointAt(bytes, at, lead);
  return known[point] || learn(point);
}

/** Where the next character begins. */
export function after(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  if (lead < 0x80) return at + 1;
  if (lead < 0xe0) return at + 2;
  return lead < 0xf0 ? at + 3 : at + 4;
}

function pointAt(bytes: Uint8Array, at: number, lead: number): number {
  const second = (bytes[at + 1] as number) & 0x3f;
  if (lead < 0xe0) return ((lead & 0x1f) << 6) | second;
  const third = (bytes[at + 2] as number) & 0x3f;
  if (lead < 0xf0) return ((lead & 0xf) << 12) | (second << 6) | third;
  const fourth = (bytes[at + 3] as number) & 0x3f;
  return ((lead & 7) << 18) | (second << 12) | (third << 6) | fourth;
}

function learn(point: number): number {
  const character = String.fromCodePoint(point);
  const found = KINDS.find(([kind]) => kind.test(character));
  const flags = KNOWN | (found ? found[1] : SIGN | OPENING);
  known[point] = flags;
  return flags;
}
