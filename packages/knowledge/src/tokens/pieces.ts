import {
  after,
  CAPITAL,
  flagsAt,
  NEWLINE,
  NUMBER,
  OPENING,
  SIGN,
  SMALL,
  SPACE,
} from './characters.ts';

const BLANK = 0x20;
const SLASH = 0x2f;
const APOSTROPHE = 0x27;

/*
 * o200k cuts a text into pieces before it looks for tokens, with this pattern, in which C are
 * capital letters (Lu, Lt, Lm, Lo, M), s small ones (Ll, Lm, Lo, M) and 'x is 's, 'd, 'm, 't, 'll,
 * 've or 're in either case:
 *
 *   [^\r\n\p{L}\p{N}]?C*s+('x)? | [^\r\n\p{L}\p{N}]?C+s*('x)? | \p{N}{1,3}
 *   | \x20?[^\s\p{L}\p{N}]+[\r\n/]* | \s*[\r\n]+ | \s+(?!\S) | \s+
 *
 * It is written out here for bytes, which tokens are looked up by: to run it as a regular expression
 * and encode each piece takes longer than all the rest.
 */

/** Where the piece ends that begins at `at`. One of the ways always finds something. */
export function pieceEnd(bytes: Uint8Array, at: number): number {
  const first = flagsAt(bytes, at);
  const word = wordEnd(bytes, at, first);
  if (word !== at) return contractionEnd(bytes, word);
  if (first & NUMBER) return numberEnd(bytes, at);
  const signs = bytes[at] === BLANK ? at + 1 : at;
  return flagsAt(bytes, signs) & SIGN ? signsEnd(bytes, signs) : spaceEnd(bytes, at);
}

/** The end of letters with what opens them; `at` if there are none. */
function wordEnd(bytes: Uint8Array, at: number, first: number): number {
  const start = first & OPENING ? after(bytes, at) : at;
  let end = start;
  let either = at;
  let found = flagsAt(bytes, end);
  while (found & CAPITAL) {
    end = after(bytes, end);
    if (found & SMALL) either = end;
    found = flagsAt(bytes, end);
  }
  if (found & SMALL) return runEnd(bytes, end, SMALL);
  // The pattern asks for a small letter first, and goes back to the last that can be one.
  if (either !== at) return either;
  // A mark that opens a word can also be the word.
  if (first & OPENING && first & SMALL) return start;
  return end === start ? at : end;
}

function runEnd(bytes: Uint8Array, at: number, flag: number): number {
  let end = at;
  while (flagsAt(bytes, end) & flag) end = after(bytes, end);
  return end;
}

/** Behind `'s`, `'ll` and their like, if one of them stands there. */
function contractionEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== APOSTROPHE) return at;
  const letter = lowerCase(bytes[at + 1]);
  if ('sdmt'.includes(letter)) return at + 2;
  const pair = letter + lowerCase(bytes[at + 2]);
  return pair === 'll' || pair === 've' || pair === 're' ? at + 3 : at;
}

/** Anything but a letter is of no interest. */
function lowerCase(byte = 0): string {
  return String.fromCharCode(byte | 0x20);
}

function numberEnd(bytes: Uint8Array, at: number): number {
  let end = after(bytes, at);
  for (let more = 2; more > 0 && flagsAt(bytes, end) & NUMBER; more--) end = after(bytes, end);
  return end;
}

function signsEnd(bytes: Uint8Array, at: number): number {
  let end = runEnd(bytes, at, SIGN);
  while (bytes[end] === SLASH || flagsAt(bytes, end) & NEWLINE) end += 1;
  return end;
}

/** Up to the last newline, else without the last space, which belongs to what follows it. */
function spaceEnd(bytes: Uint8Array, at: number): number {
  let end = at;
  let last = at;
  let lines = at;
  let found = flagsAt(bytes, end);
  while (found & SPACE) {
    last = end;
    end = after(bytes, end);
    if (found & NEWLINE) lines = end;
    found = flagsAt(bytes, end);
  }
  if (lines !== at) return lines;
  const isLast = found === 0;
  return isLast || last === at ? end : last;
}
