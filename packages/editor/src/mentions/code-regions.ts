import type { Span } from './spans.ts';

export interface Region extends Span {
  readonly where: 'comment' | 'string';
}

const WORD_CHARACTER = /[\w$\u0080-\uffff]/;
const LINE_BREAK = /[\n\r\u2028\u2029]/;
/** They have something to the right of them: a slash that follows does not divide. */
const OPERATORS = new Set(
  'await case delete do else in instanceof new of return throw typeof void yield'.split(' '),
);

/** The comments and strings of TypeScript or JavaScript, without their marks, in order. */
export function codeRegions(text: string): readonly Region[] {
  return new CodeScanner(text).scan();
}

/**
 * Knows just enough of the language to tell comments, strings and regular expressions from the
 * rest. The text between JSX tags is code to it: an apostrophe there is a string up to the line's
 * end, no further. Loops instead of patterns and recursion: any input takes linear time.
 */
class CodeScanner {
  readonly #text: string;
  readonly #regions: Region[] = [];
  #at = 0;
  /** Of each open `${`, how many braces are open in it. */
  readonly #braces: number[] = [];
  /** Whether a value ends here: a slash divides it then. */
  #isAfterValue = false;
  /** In this part of a line, a slash has been found to begin no regular expression. */
  #noExpressionUntil = 0;
  #isCommentEndLeft = true;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): readonly Region[] {
    const start = this.#text.startsWith('\ufeff') ? 1 : 0;
    if (this.#text.startsWith('#!', start)) this.#lineComment(start + 2);
    while (this.#at < this.#text.length) this.#next(this.#text[this.#at] as string);
    return this.#regions;
  }

  #next(character: string): void {
    if (character === "'" || character === '"') this.#string(character);
    else if (character === '`') this.#template();
    else if (character === '/') this.#slash();
    else if (WORD_CHARACTER.test(character)) this.#word();
    else if (character === '}' && this.#braces.at(-1) === 0) {
      this.#braces.pop();
      this.#template();
    } else this.#sign(character);
  }

  #add(start: number, end: number, where: Region['where']): void {
    if (start < end) this.#regions.push({ start, end, where });
  }

  #lineEnd(from: number): number {
    let end = from;
    while (end < this.#text.length && !LINE_BREAK.test(this.#text[end] as string)) end += 1;
    return end;
  }

  #lineComment(start: number): void {
    this.#at = this.#lineEnd(start);
    this.#add(start, this.#at, 'comment');
  }

  #slash(): void {
    if (this.#text[this.#at + 1] === '/') this.#lineComment(this.#at + 2);
    else if (this.#text[this.#at + 1] === '*') this.#blockComment();
    else if (!this.#expression()) this.#sign('/');
  }

  #blockComment(): void {
    const start = this.#at + 2;
    const end = this.#isCommentEndLeft ? this.#text.indexOf('*/', start) : -1;
    if (end < 0) {
      // A pattern of files between JSX tags, say: the rest of the file is no comment.
      this.#isCommentEndLeft = false;
      this.#at = start;
      return;
    }
    this.#add(start, end, 'comment');
    this.#at = end + 2;
  }

  #string(quote: string): void {
    const start = this.#at + 1;
    let end = start;
    for (; end < this.#text.length; end++) {
      const character = this.#text[end];
      if (character === quote || character === '\n' || character === '\r') break;
      if (character === '\\') end += this.#text.startsWith('\r\n', end + 1) ? 2 : 1;
    }
    end = Math.min(end, this.#text.length);
    this.#add(start, end, 'string');
    this.#at = this.#text[end] === quote ? end + 1 : end;
    this.#isAfterValue = true;
  }

  /** From its first mark, or from the brace behind a value in it, to where code begins again. */
  #template(): void {
    const start = this.#at + 1;
    let end = start;
    while (end < this.#text.length && this.#text[end] !== '`') {
      if (this.#text.startsWith('${', end)) {
        this.#braces.push(0);
        break;
      }
      end += this.#text[end] === '\\' ? 2 : 1;
    }
    end = Math.min(end, this.#text.length);
    this.#add(start, end, 'string');
    this.#isAfterValue = this.#text[end] === '`';
    this.#at = end + (this.#isAfterValue ? 1 : 2);
  }

  /** Whether there was a regular expression, which is over now. */
  #expression(): boolean {
    // `</` closes a JSX tag.
    const isPossible = !this.#isAfterValue && this.#text[this.#at - 1] !== '<';
    if (!isPossible || this.#at < this.#noExpressionUntil) return false;
    let isInClass = false;
    let at = this.#at + 1;
    for (; at < this.#text.length; at++) {
      const character = this.#text[at] as string;
      if (LINE_BREAK.test(character)) break;
      if (character === '\\') at += 1;
      else if (character === '[') isInClass = true;
      else if (character === ']') isInClass = false;
      else if (character === '/' && !isInClass) {
        this.#at = at + 1;
        this.#isAfterValue = true;
        return true;
      }
    }
    this.#noExpressionUntil = at;
    return false;
  }

  #word(): void {
    const start = this.#at;
    while (WORD_CHARACTER.test(this.#text[this.#at] ?? '')) this.#at += 1;
    const isMember = this.#text[start - 1] === '.' || this.#text[start - 1] === '#';
    this.#isAfterValue = isMember || !OPERATORS.has(this.#text.slice(start, this.#at));
  }

  #sign(character: string): void {
    const open = this.#braces.at(-1);
    if (open !== undefined && character === '{') this.#braces[this.#braces.length - 1] = open + 1;
    if (open !== undefined && character === '}') this.#braces[this.#braces.length - 1] = open - 1;
    const isTwice = this.#text[this.#at - 1] === character;
    if (')]}'.includes(character) || ('+-'.includes(character) && isTwice)) {
      this.#isAfterValue = true;
      // Behind a value, TypeScript's `!` ends it, too; elsewhere it negates what follows.
    } else if (!' \t\n\r!'.includes(character)) this.#isAfterValue = false;
    this.#at += 1;
  }
}
