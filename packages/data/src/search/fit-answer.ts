import type { Cell } from '../model.ts';
import { MOST_ITEMS } from './columns.ts';
import type { Connection, FoundRecord } from './request.ts';

/** How long values may be, the longest first. */
const LENGTHS = [4000, 2000, 1000, 500, 300, 200] as const;
/** For a single record that would not fit otherwise. */
const SHORTER = [100, 50, 20] as const;
/** What was asked for by name may be so much longer. */
const NAMED = 4;
const SAMPLES = [5, 3, 1, 0] as const;

export interface Fitted {
  readonly records: readonly FoundRecord[];
  /** Fields that had to be left out of the only record. */
  readonly leftOut: number;
}

/**
 * As many records as fit. First their long values are cut, then records wait for the next page, and
 * at least one is shown: if need be, in part.
 */
export function fitRecords(
  records: readonly FoundRecord[],
  characters: number,
  named: ReadonlySet<string>,
): Fitted {
  const cutTo = (length: number) => records.map((record) => cutRecord(record, length, named));
  for (const length of LENGTHS) {
    const cut = cutTo(length);
    if (cost(cut) <= characters) return { records: cut, leftOut: 0 };
  }
  const shortest = cutTo(LENGTHS.at(-1) ?? 0);
  const count = fitting(shortest, characters);
  const [first] = records;
  if (count > 0 || !first) return { records: shortest.slice(0, count), leftOut: 0 };
  return fitOne(first, characters, named);
}

/** How many values of connections can be shown. */
export function fitConnections(
  connections: readonly Connection[],
  characters: number,
): readonly Connection[] {
  for (const most of SAMPLES) {
    const cut = connections.map((one) => ({ ...one, records: one.records.slice(0, most) }));
    if (cost(cut) <= characters) return cut;
  }
  const bare = connections.filter(({ count }) => count > 0).map((one) => ({ ...one, records: [] }));
  return bare.slice(0, fitting(bare, characters));
}

export function cost(value: unknown): number {
  return JSON.stringify(value).length;
}

/** How many of them fit, from the first on. */
function fitting(values: readonly unknown[], characters: number): number {
  let left = characters - '[]'.length;
  let count = 0;
  for (const value of values) {
    left -= cost(value) + ','.length;
    if (left < 0) break;
    count += 1;
  }
  return count;
}

function fitOne(record: FoundRecord, characters: number, named: ReadonlySet<string>): Fitted {
  for (const length of SHORTER) {
    const cut = cutRecord(record, length, named);
    if (cost([cut]) <= characters) return { records: [cut], leftOut: 0 };
  }
  const entries = Object.entries(cutRecord(record, SHORTER.at(-1) ?? 0, new Set()).values);
  const around = cost([{ ...record, values: {} }]);
  const count = fitting(
    entries.map(([name, value]) => ({ [name]: value })),
    characters - around,
  );
  const values = Object.fromEntries(entries.slice(0, count));
  return { records: [{ ...record, values }], leftOut: entries.length - count };
}

function cutRecord(record: FoundRecord, length: number, named: ReadonlySet<string>): FoundRecord {
  const values = Object.entries(record.values).map(([name, value]) => {
    const longest = named.has(name) && length > 0 ? length * NAMED : length;
    return [name, cutCell(value, longest)] as const;
  });
  return { ...record, values: Object.fromEntries(values) };
}

/** A value that takes about so many characters at most. */
function cutCell(value: Cell, length: number): Cell {
  if (typeof value === 'string') return cutText(value, length);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return cutList(value, length);
  const text = JSON.stringify(value);
  return text.length <= length ? value : cutText(text, length);
}

function cutList(items: readonly Cell[], length: number): Cell {
  if (items.length <= MOST_ITEMS && cost(items) <= length) return items;
  const shown = items.slice(0, MOST_ITEMS);
  const count = Math.max(1, fitting(shown, length));
  const cut = shown.slice(0, count).map((item) => cutCell(item, length));
  return count < items.length ? [...cut, '…'] : cut;
}

function isList(value: object): value is readonly Cell[] {
  return Array.isArray(value);
}

function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  // Half of a pair is no character.
  const end = /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return `${text.slice(0, end).replace(/…$/, '')}…`;
}
