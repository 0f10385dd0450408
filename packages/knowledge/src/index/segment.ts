import { StringTable } from './string-table.ts';

/** The arrays of a segment, as they lie in memory and in its file. */
export interface SegmentArrays {
  readonly termOffsets: Uint32Array;
  readonly termBytes: Uint8Array;
  /** Where the postings of each term begin, and where the last ends. */
  readonly postingStarts: Uint32Array;
  readonly postingEntries: Uint16Array;
  /** How much the entry is about the term, from 0 to 255. */
  readonly postingValues: Uint8Array;
  /** Where the lines of each entry begin, and where the last ends. */
  readonly lineStarts: Uint32Array;
  /** Terms of lines by number; after each line stands `LINE_END`. */
  readonly lines: Uint32Array;
  /** Words as they are written, for those that are misspelt. */
  readonly wordOffsets: Uint32Array;
  readonly wordBytes: Uint8Array;
  /** What each entry is, as JSON. */
  readonly recordOffsets: Uint32Array;
  readonly recordBytes: Uint8Array;
  /** `kind/id` of each entry, then their paths, with a NUL between two of them. */
  readonly names: Uint8Array;
  /** Size and time of change of each entry's file, renewed if the file is the same otherwise. */
  readonly stamps: Float64Array;
}

export const LINE_END = 0xffff_ffff;
const MOST_KNOWN = 10_000;
/** Postings have two bytes for the number of an entry. A folder has fewer files: see `scan.ts`. */
const MOST_ENTRIES = 2 ** 16;

/** A part of an index that never changes: entries, the words in them, and where they are. */
export class Segment {
  readonly arrays: SegmentArrays;
  readonly count: number;
  readonly terms: StringTable;
  readonly words: StringTable;
  readonly #records: StringTable;
  /** Where terms are that were asked for before. */
  readonly #known = new Map<string, number>();
  #names: { readonly keys: readonly string[]; readonly paths: readonly string[] } | undefined;

  constructor(arrays: SegmentArrays) {
    this.arrays = arrays;
    this.count = arrays.recordOffsets.length - 1;
    if (this.count > MOST_ENTRIES) throw new RangeError(`${this.count} entries are too many`);
    this.terms = new StringTable(arrays.termOffsets, arrays.termBytes);
    this.words = new StringTable(arrays.wordOffsets, arrays.wordBytes);
    this.#records = new StringTable(arrays.recordOffsets, arrays.recordBytes);
  }

  /** `kind/id` of each entry. */
  get keys(): readonly string[] {
    return this.#splitNames().keys;
  }

  get paths(): readonly string[] {
    return this.#splitNames().paths;
  }

  record(entry: number): unknown {
    return JSON.parse(this.recordText(entry));
  }

  recordText(entry: number): string {
    return this.#records.at(entry);
  }

  /** The number of a term, or -1. */
  term(stem: string): number {
    const known = this.#known.get(stem);
    if (known !== undefined) return known;
    const found = this.terms.indexOf(stem);
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(stem, found);
    return found;
  }

  /** In how many entries it is. */
  frequency(term: number): number {
    if (term < 0) return 0;
    const { postingStarts } = this.arrays;
    return (postingStarts[term + 1] ?? 0) - (postingStarts[term] ?? 0);
  }

  #splitNames() {
    if (!this.#names) {
      const text = Buffer.from(this.arrays.names).toString('utf8');
      const lines = this.count === 0 ? [] : text.split('\0');
      this.#names = { keys: lines.slice(0, this.count), paths: lines.slice(this.count) };
    }
    return this.#names;
  }
}

/** A segment and which of its entries are not there any more, or stand behind another. */
export interface Part {
  readonly segment: Segment;
  readonly hidden: Uint8Array;
}

/** Where each of some arrays begins that lie one after another, and where the last ends. */
export function startsOf(lengths: readonly number[]): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (const [index, length] of lengths.entries()) {
    starts[index + 1] = (starts[index] ?? 0) + length;
  }
  return starts;
}
