import { HIDDEN, visible } from './text.ts';

/** More blanks in a row than these do not indent or align, they push something out of sight. */
const MAX_BLANKS = 20;
const TAB_WIDTH = 8;
const MAX_EMPTY_LINES = 2;
/** Hidden characters in a row that are written out one by one. */
const MAX_REPEATED = 8;
/** Marks of letters: Burmese has up to five. */
const MAX_MARKS = 5;
/** Clients do not break the lines of code: what is wider would go on beside their window. */
const LINE_COLUMNS = 100;

// Marks that are drawn over the character before them. Scripts that need marks have others.
const OVERLAYS = String.raw`\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\p{Me}`;
// Those of such scripts, stacked higher than any of them does: they cover the lines around them.
const STACKED = new RegExp(String.raw`\p{M}{${MAX_MARKS + 1},}`, 'gu');
const RUNS = /(.)\1*/gsu;
// Blank, although Unicode takes them for symbols and letters.
const BLANK_SYMBOLS = String.raw`\ufffc\u{16fe4}\u{1d159}`;
const CONCEALING = new RegExp(`(${HIDDEN.source}|[⟨⟩${OVERLAYS}${BLANK_SYMBOLS}])\\1*`, 'gu');
// A whole phrase, a long dash or a cuneiform sign as one character: as wide as a tab may be.
const WIDEST = /[\t\u2e3a\u2e3b\ufd40-\ufdff\u{12000}-\u{1254f}]/u;

/**
 * A line for a person to decide by: what nobody would see is written out, and what only pads is
 * counted, as in ⟨1,500 blanks⟩. These brackets mean nothing else: those of the text are written
 * out, too.
 */
export function readableLine(line: string): string {
  return line
    .replace(CONCEALING, writtenOut)
    .replace(STACKED, (marks) => marks.replace(RUNS, writtenOut))
    .replace(/[ \t]+/g, counted);
}

/** The lines of a text, each readable; many empty ones are counted. */
export function readableLines(text: string): string[] {
  const lines: string[] = [];
  let empty: string[] = [];
  const addEmpty = () => {
    const isPadding = empty.length > MAX_EMPTY_LINES;
    lines.push(...(isPadding ? [count(empty.length, 'empty lines')] : empty.map(readableLine)));
    empty = [];
  };
  for (const line of text.split('\n')) {
    if (/^[ \t\r]*$/.test(line)) {
      empty.push(line);
      continue;
    }
    addEmpty();
    lines.push(readableLine(line));
  }
  addEmpty();
  return lines;
}

/** A line in parts that stand one below the other, so that its end is as visible as its start. */
export function lineParts(line: string): string[] {
  const parts: string[] = [];
  let part = '';
  let columns = 0;
  for (const character of line) {
    const width = widthOf(character);
    if (columns + width > LINE_COLUMNS) {
      parts.push(part);
      part = '';
      columns = 0;
    }
    part += character;
    columns += width;
  }
  return [...parts, part];
}

/** A text as a block of code that a person decides by. */
export function readableBlock(text: string): string {
  return readableLines(text)
    .flatMap((line) => lineParts(line).map((part, row) => (row === 0 ? part : `… ${part}`)))
    .join('\n');
}

/** At least so many columns: a mark takes none, but counts, so that no line has too many. */
function widthOf(character: string): number {
  if (WIDEST.test(character)) return TAB_WIDTH;
  return character >= '\u1100' ? 2 : 1;
}

function writtenOut(run: string, character: string): string {
  const times = run.length / character.length;
  return times > MAX_REPEATED ? count(times, `× ${visible(character)}`) : visible(run);
}

function counted(run: string, at: number, line: string): string {
  const tabs = run.split('\t').length - 1;
  const width = run.length + tabs * (TAB_WIDTH - 1);
  const isAtEnd = at + run.length === line.length;
  if (width <= MAX_BLANKS && !isAtEnd) return run;
  const kind = tabs === 0 ? 'blank' : tabs === run.length ? 'tab' : 'blanks and tab';
  return count(run.length, run.length === 1 ? kind : `${kind}s`);
}

function count(times: number, what: string): string {
  return `⟨${times.toLocaleString('en-US')} ${what}⟩`;
}
