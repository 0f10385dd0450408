import { createScanner } from 'jsonc-parser';
import { unreadable } from './unreadable.ts';

/** What a text is made of, blanks left out. */
export interface Piece {
  readonly kind: 'comma' | 'line comment' | 'other';
  readonly start: number;
  readonly end: number;
  /** How many brackets are open around it; a bracket counts for what is outside its inside. */
  readonly depth: number;
}

/** Far more than any setting needs, far less than a call stack holds. */
const DEEPEST = 100;
const BLANKS = new Set([' ', '\t', '\r', '\n']);

/** The parser calls itself for each bracket, so depth is measured before it is asked. */
export function piecesOf(text: string): Piece[] {
  const scanner = createScanner(text);
  const pieces: Piece[] = [];
  let depth = 0;
  for (;;) {
    scanner.scan();
    const start = scanner.getTokenOffset();
    const length = scanner.getTokenLength();
    if (length === 0) return pieces;
    const first = text.charAt(start);
    if (BLANKS.has(first)) continue;
    pieces.push({ kind: kindAt(text, start), start, end: start + length, depth });
    if (first === '{' || first === '[') depth += 1;
    if (first === '}' || first === ']') depth -= 1;
    if (depth > DEEPEST) {
      throw unreadable(text, start, `this is nested more than ${DEEPEST} levels deep`);
    }
  }
}

function kindAt(text: string, start: number): Piece['kind'] {
  if (text.charAt(start) === ',') return 'comma';
  return text.startsWith('//', start) ? 'line comment' : 'other';
}
