import type { Position, Range, TextEdit } from './text-edit.ts';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** A text and where its lines begin: made once, asked for many places. */
export interface Lines {
  readonly text: string;
  readonly starts: readonly number[];
}

/** An edit by offsets into the text that it changes. */
export interface PlacedEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** Lines as language servers count them: U+2028 and U+2029 end none. */
export function linesOf(text: string): Lines {
  const starts = [0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isEnd =
      code === LINE_FEED || (code === CARRIAGE_RETURN && text.charCodeAt(at + 1) !== LINE_FEED);
    if (isEnd) starts.push(at + 1);
  }
  return { text, starts };
}

/** Where a line ends, before its line break. */
export function lineEnd({ text, starts }: Lines, line: number): number {
  const next = starts[line + 1];
  if (next === undefined) return text.length;
  return text.startsWith('\r\n', next - 2) ? next - 2 : next - 1;
}

/** A character beyond its line is the end of the line; a line beyond the text is its end. */
export function offsetAt(lines: Lines, { line, character }: Position): number {
  const start = lines.starts[line];
  if (start === undefined) return lines.text.length;
  return Math.min(start + character, lineEnd(lines, line));
}

export function positionAt(lines: Lines, offset: number): Position {
  let line = 0;
  let after = lines.starts.length;
  while (after - line > 1) {
    const middle = (line + after) >>> 1;
    if ((lines.starts[middle] as number) <= offset) line = middle;
    else after = middle;
  }
  const start = lines.starts[line] as number;
  // There is no place between the two characters of a line break.
  return { line, character: Math.min(offset, lineEnd(lines, line)) - start };
}

export function textIn(text: string, range: Range): string {
  const lines = linesOf(text);
  return text.slice(offsetAt(lines, range.start), offsetAt(lines, range.end));
}

/**
 * Edits in the order of their places; those that insert at one place stay in theirs, before one
 * that replaces from there. Throws a `TypeError` if two overlap: whoever made them did not mean it.
 */
export function placedEdits(lines: Lines, edits: readonly TextEdit[]): readonly PlacedEdit[] {
  const placed = edits
    .map(({ range, newText }) => ({
      start: offsetAt(lines, range.start),
      end: offsetAt(lines, range.end),
      newText,
    }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  let reached = 0;
  for (const { start, end } of placed) {
    if (end < start) throw new TypeError('An edit ends before it starts.');
    if (start < reached) throw new TypeError('Two edits overlap.');
    reached = end;
  }
  return placed;
}

/** A part of a text with the edits in it made. */
export function editedPart(
  text: string,
  start: number,
  end: number,
  placed: readonly PlacedEdit[],
): string {
  const parts: string[] = [];
  let reached = start;
  for (const edit of placed) {
    parts.push(text.slice(reached, edit.start), edit.newText);
    reached = edit.end;
  }
  parts.push(text.slice(reached, end));
  return parts.join('');
}

/** All edits are about the text as it is before the first of them. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return editedPart(text, 0, text.length, placedEdits(linesOf(text), edits));
}
