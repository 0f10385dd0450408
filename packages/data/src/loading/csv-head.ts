/** How a file of separated values is written. */
export interface Dialect {
  readonly delimiter: string;
  readonly hasHeader: boolean;
  /** Of the first line, as many as there are columns. */
  readonly cells: readonly string[];
}

const DELIMITERS = [',', ';', '\t', '|'] as const;
const SAMPLE_ROWS = 200;
const MOST_CELLS = 5000;

/** Learns the dialect from the beginning of a file. What somebody has declared is not questioned. */
export function dialectOf(
  head: string,
  isWhole: boolean,
  declared: { readonly delimiter?: string | undefined; readonly header?: boolean | undefined } = {},
): Dialect {
  const candidates = declared.delimiter ? [declared.delimiter] : DELIMITERS;
  let best: { delimiter: string; rows: string[][]; score: number } | undefined;
  for (const delimiter of candidates) {
    const rows = splitRows(head, delimiter, isWhole);
    const score = consistency(rows);
    if (!best || score > best.score) best = { delimiter, rows, score };
  }
  const { delimiter, rows } = best ?? { delimiter: ',', rows: [] };
  const cells = rows[0] ?? [];
  return { delimiter, cells, hasHeader: declared.header ?? looksLikeHeader(cells) };
}

/** How many rows have as many cells as the first; nothing if that is one. */
function consistency(rows: readonly (readonly string[])[]): number {
  const wanted = rows[0]?.length ?? 0;
  if (wanted < 2) return 0;
  // A quote within a cell was cut off from another: this is not what separates them.
  const isWhole = (row: readonly string[]) => !row.some((cell) => /^[^"]*"[^"]*$/.test(cell));
  const same = rows.filter((row) => row.length === wanted && isWhole(row)).length / rows.length;
  return same + Math.min(wanted, 50) / 1000;
}

const NUMBER_OR_DATE = /^[-+]?[\d.,:/ -]+$|^\d{4}-\d\d-\d\d/;

function looksLikeHeader(cells: readonly string[]): boolean {
  const names = cells.map((cell) => cell.trim());
  const isName = (name: string) => name !== '' && !NUMBER_OR_DATE.test(name);
  const given = names.filter((name) => name !== '');
  // Exports have columns without a name; a line of mostly nothing is no header.
  return given.length * 2 > names.length && given.every(isName);
}

// A cell in quotes or without, and what ends it.
const CELL = (delimiter: string) => {
  const end = `[\\u{${(delimiter.codePointAt(0) ?? 0).toString(16)}}]`;
  return new RegExp(
    `[ \\t]*"((?:[^"]|"")*)"[^\\n\\r]*?(${end}|\\r\\n|\\n|\\r|$)|([^\\n\\r]*?)(${end}|\\r\\n|\\n|\\r|$)`,
    'uy',
  );
};

/** The rows at the beginning; the last one is left out unless the text is whole. */
function splitRows(text: string, delimiter: string, isWhole: boolean): string[][] {
  const rows: string[][] = [];
  const cell = CELL(delimiter);
  let row: string[] = [];
  for (let cells = 0; cells < MOST_CELLS && rows.length < SAMPLE_ROWS; cells++) {
    const [, quoted, after, plain = '', end = after] = cell.exec(text) ?? [];
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === delimiter) continue;
    const isEnd = !end;
    const isBlank = row.length === 1 && row[0] === '';
    if (!isBlank && (!isEnd || isWhole || rows.length === 0)) rows.push(row);
    if (isEnd) break;
    row = [];
  }
  return rows;
}

/** Names for columns: none is empty, and no two are the same but for case. */
export function columnNames(given: readonly string[]): string[] {
  const taken = new Set<string>();
  return given.map((cell, at) => {
    const base = cell.trim().slice(0, 200) || `column${at + 1}`;
    let name = base;
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${base}_${count}`;
    taken.add(name.toLowerCase());
    return name;
  });
}
