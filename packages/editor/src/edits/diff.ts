import { cutAround } from '../mentions/cut-around.ts';
import {
  editedPart,
  type Lines,
  lineEnd,
  linesOf,
  type PlacedEdit,
  placedEdits,
  positionAt,
} from './apply-edits.ts';
import type { TextEdit } from './text-edit.ts';

/** More of a line says nothing about the change. */
const LONGEST_LINE = 160;

export interface ChangedFile {
  readonly file: string;
  /** Where it is moved to. */
  readonly to?: string | undefined;
  readonly before: string;
  readonly edits: readonly TextEdit[];
}

export interface CompactDiff {
  readonly text: string;
  readonly truncated: boolean;
}

/** Lines that are shown together, and how many changes are over with them. */
interface Rows {
  readonly lines: readonly string[];
  readonly changes: number;
}

interface Unit extends Rows {
  /** How many files begin with it. */
  readonly files: number;
}

/** Edits on lines that follow each other; lines are counted from 0. */
interface Group {
  readonly first: number;
  last: number;
  readonly edits: PlacedEdit[];
}

/** A unified diff without context, in at most `room` characters: what has no room is counted. */
export function compactDiff(files: readonly ChangedFile[], room: number): CompactDiff {
  let restFiles = files.length;
  let restChanges = files.reduce((sum, { edits }) => sum + edits.length, 0);
  const lines: string[] = [];
  let length = 0;
  // What stays if a later unit has no room: the count of the rest needs some, too.
  let kept = 0;
  let rest = restText(restFiles, restChanges);
  for (const unit of unitsOf(files)) {
    length += unit.lines.reduce((sum, line) => sum + line.length + 1, 0);
    if (length - 1 > room) {
      const text = [...lines.slice(0, kept), rest].join('\n');
      return { text: text.slice(0, Math.max(0, room)), truncated: true };
    }
    lines.push(...unit.lines);
    restFiles -= unit.files;
    restChanges -= unit.changes;
    const nextRest = restText(restFiles, restChanges);
    if (length + nextRest.length <= room) [kept, rest] = [lines.length, nextRest];
  }
  return { text: lines.join('\n'), truncated: false };
}

function restText(files: number, changes: number): string {
  const parts = [
    files > 0 ? `${files} more ${files === 1 ? 'file' : 'files'}` : '',
    changes > 0 ? `${changes} more ${changes === 1 ? 'change' : 'changes'}` : '',
  ];
  return `… ${parts.filter((part) => part !== '').join(', ')}`;
}

function* unitsOf(files: readonly ChangedFile[]): Generator<Unit> {
  for (const { file, to = file, before, edits } of files) {
    let header = [`--- ${file}`, `+++ ${to}`];
    for (const { lines, changes } of hunksOf(linesOf(before), edits)) {
      yield { lines: [...header, ...lines], files: header.length > 0 ? 1 : 0, changes };
      header = [];
    }
    if (header.length > 0) {
      yield { lines: to === file ? [] : [`${file} → ${to}`], files: 1, changes: 0 };
    }
  }
}

/** Nothing of edits that change line breaks only. */
function* hunksOf(lines: Lines, edits: readonly TextEdit[]): Generator<Rows> {
  let shift = 0;
  for (const { first, last, edits: placed } of groupsOf(lines, edits)) {
    const start = lines.starts[first] as number;
    const end = lineEnd(lines, last);
    const old = splitLines(lines.text.slice(start, end));
    const fresh = splitLines(editedPart(lines.text, start, end, placed));
    const same = commonStart(old, fresh);
    const sameEnd = commonStart(old.slice(same).reverse(), fresh.slice(same).reverse());
    const removed = old.slice(same, old.length - sameEnd);
    const added = fresh.slice(same, fresh.length - sameEnd);
    const at = first + same;
    const head = `@@ -${spanText(at, removed.length)} +${spanText(at + shift, added.length)} @@`;
    const changed = [...markedLines('-', removed, added), ...markedLines('+', added, removed)];
    for (const [index, line] of changed.entries()) {
      const isEnd = index === changed.length - 1;
      yield { lines: index === 0 ? [head, line] : [line], changes: isEnd ? placed.length : 0 };
    }
    shift += fresh.length - old.length;
  }
}

function groupsOf(lines: Lines, edits: readonly TextEdit[]): readonly Group[] {
  const groups: Group[] = [];
  for (const edit of placedEdits(lines, edits)) {
    const first = positionAt(lines, edit.start).line;
    const last = positionAt(lines, edit.end).line;
    const group = groups.at(-1);
    if (group && first <= group.last + 1) {
      group.last = last;
      group.edits.push(edit);
    } else groups.push({ first, last, edits: [edit] });
  }
  return groups;
}

function splitLines(text: string): string[] {
  return text.split(/\r\n|[\r\n]/);
}

/** Of what comes first in both: lines, or characters of a line. */
function commonStart(one: ArrayLike<string>, other: ArrayLike<string>): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one[length] === other[length]) length += 1;
  return length;
}

/** As in every unified diff: no lines are counted behind the line before them. */
function spanText(first: number, count: number): string {
  if (count === 1) return `${first + 1}`;
  return `${count === 0 ? first : first + 1},${count}`;
}

function markedLines(
  mark: string,
  lines: readonly string[],
  others: readonly string[],
): readonly string[] {
  return lines.map((line, index) => {
    const change = commonStart(line, others[index] ?? '');
    return mark + cutAround(line, change, LONGEST_LINE);
  });
}
