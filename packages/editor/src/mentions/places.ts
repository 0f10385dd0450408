import type { Span } from './spans.ts';

export interface Place extends Span {
  readonly word: string;
}

const NAME = /^#?[\p{ID_Continue}$]+$/u;
const NAME_CHARACTER = /^[\p{ID_Continue}$]/u;
const SEGMENT_CHARACTER = /^[\p{ID_Continue}$-]/u;

/** A name is a word of its own; all else is a path, or the end of one. */
export function isPath(word: string): boolean {
  return !NAME.test(word);
}

/** Where whole words stand in a text, in order. */
export function placesOf(text: string, words: readonly string[]): readonly Place[] {
  const places: Place[] = [];
  for (const word of words) {
    const isWhole = isPath(word) ? isWholePath : isWholeName;
    for (let start = text.indexOf(word); start >= 0; start = text.indexOf(word, start + 1)) {
      const end = start + word.length;
      if (isWhole(text, start, end)) places.push({ word, start, end });
    }
  }
  return places.sort((a, b) => a.start - b.start);
}

function isWholeName(text: string, start: number, end: number): boolean {
  // What is private is called `Money#total`, too.
  const startsWhole = text[start] === '#' || !NAME_CHARACTER.test(characterBefore(text, start));
  return startsWhole && !continues(text, end, NAME_CHARACTER);
}

/**
 * Not a part of a longer name of a file or folder. `src/util` is not in `src/util/money` either:
 * that is how a folder is mentioned, which is the word `src/util/`.
 */
function isWholePath(text: string, start: number, end: number): boolean {
  const before = characterBefore(text, start);
  if (text[start] === '/') {
    // The host of a URL is no path.
    if (before === '/') return false;
  } else if (before === '.' || SEGMENT_CHARACTER.test(before)) return false;
  if (text[end - 1] === '/' || text[end - 1] === '.') return true;
  if (text[end] === '/' || continues(text, end, SEGMENT_CHARACTER)) return false;
  // The point behind a sentence ends a path, that of `util.test.ts` does not end `util`.
  return text[end] !== '.' || !continues(text, end + 1, SEGMENT_CHARACTER);
}

function continues(text: string, at: number, character: RegExp): boolean {
  // In a template, it begins something else.
  if (text.startsWith('${', at)) return false;
  return character.test(text.slice(at, at + 2));
}

function characterBefore(text: string, at: number): string {
  const isPair = at > 1 && (text.codePointAt(at - 2) ?? 0) > 0xffff;
  return text.slice(isPair ? at - 2 : Math.max(0, at - 1), at);
}
