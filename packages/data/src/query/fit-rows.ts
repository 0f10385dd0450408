import type { Result } from '../engine/engine.ts';
import type { Cell } from '../model.ts';

/** About so many characters of JSON an answer may have. */
export const MOST_CHARACTERS = 9000;
/** For what is not columns and rows. */
const FOR_THE_REST = 500;
const FOR_COLUMNS = 4000;
const LONGEST_NAME = 120;
const SHORTEST_TEXT = 12;

export interface Fitted {
  readonly columns: Result['columns'];
  readonly rows: readonly (readonly Cell[])[];
  readonly hasCutTexts: boolean;
}

/** As much of a result as fits: columns, whole rows, and if not even one of them fits, parts of it. */
export function fitRows(result: Result, characters = MOST_CHARACTERS): Fitted {
  const columns = fitting(uniqueColumns(result.columns), FOR_COLUMNS);
  const room = characters - FOR_THE_REST - sizeOf(columns);
  const [first, ...others] = result.rows.map((row) => row.slice(0, columns.length));
  if (!first) return { columns, rows: [], hasCutTexts: false };
  if (sizeOf(first) > room) return { columns, rows: [cutRow(first, room)], hasCutTexts: true };
  return { columns, rows: fitting([first, ...others], room), hasCutTexts: false };
}

function fitting<Item>(items: readonly Item[], room: number): readonly Item[] {
  let used = 2;
  let count = 0;
  for (const item of items) {
    used += sizeOf(item) + 1;
    if (used > room && count > 0) break;
    count += 1;
  }
  return items.slice(0, count);
}

/** The same name twice would lose a column wherever rows become objects. */
function uniqueColumns(columns: Result['columns']): Result['columns'] {
  const taken = new Set<string>();
  return columns.map((column) => {
    const base = cut(column.name, LONGEST_NAME);
    let name = base;
    for (let number = 2; taken.has(name); number++) name = `${base}_${number}`;
    taken.add(name);
    return { name, type: cut(column.type, LONGEST_NAME) };
  });
}

function cutRow(row: readonly Cell[], room: number): readonly Cell[] {
  let longest = Math.floor(room / 2);
  let shorter = row;
  do {
    shorter = row.map((cell) => cutCell(cell, longest));
    longest = Math.floor(longest / 2);
  } while (sizeOf(shorter) > room && longest >= SHORTEST_TEXT);
  return shorter;
}

/** What is no text becomes one when it has to be cut. */
function cutCell(cell: Cell, longest: number): Cell {
  if (typeof cell === 'string') return cut(cell, longest);
  const text = JSON.stringify(cell);
  return text.length > longest ? cut(text, longest) : cell;
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  // Half of a character is none.
  return `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}
