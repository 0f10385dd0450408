import type { IndexedEntry } from './entry.ts';
import { LINE_END, Segment, startsOf } from './segment.ts';
import { StringTable } from './string-table.ts';

/** A segment of entries. */
export function buildSegment(entries: readonly IndexedEntry[]): Segment {
  const postings = postingsOf(entries);
  const names = [...postings.keys()].sort();
  const numbers = new Map(names.map((name, number) => [name, number]));
  const terms = StringTable.of(names);
  const words = StringTable.of([...new Set(entries.flatMap((entry) => entry.words))].sort());
  const records = StringTable.of(entries.map(({ record }) => record));
  const lines = entries.map((entry) =>
    entry.lines.flatMap((line) => [...line.map((stem) => numbers.get(stem) ?? 0), LINE_END]),
  );
  return new Segment({
    termOffsets: terms.offsets,
    termBytes: terms.bytes,
    ...postingArrays(names.map((name) => postings.get(name) ?? [])),
    lineStarts: startsOf(lines.map(({ length }) => length)),
    lines: Uint32Array.from(lines.flat()),
    wordOffsets: words.offsets,
    wordBytes: words.bytes,
    recordOffsets: records.offsets,
    recordBytes: records.bytes,
    names: Buffer.from(
      [...entries.map(({ key }) => key), ...entries.map(({ path }) => path)].join('\0'),
    ),
    stamps: Float64Array.from(entries.flatMap(({ size, changed }) => [size, changed])),
  });
}

/** Of each term: entry, value, entry, value, … */
type Postings = number[];

function postingsOf(entries: readonly IndexedEntry[]): Map<string, Postings> {
  const postings = new Map<string, Postings>();
  for (const [number, { terms }] of entries.entries()) {
    for (const [term, weight] of terms) {
      const value = Math.ceil(weight * 255);
      const before = postings.get(term);
      if (before) before.push(number, value);
      else postings.set(term, [number, value]);
    }
  }
  return postings;
}

function postingArrays(each: readonly Postings[]) {
  const postingStarts = startsOf(each.map(({ length }) => length / 2));
  const total = postingStarts.at(-1) ?? 0;
  const postingEntries = new Uint16Array(total);
  const postingValues = new Uint8Array(total);
  let at = 0;
  for (const postings of each) {
    for (let index = 0; index < postings.length; index += 2, at++) {
      postingEntries[at] = postings[index] ?? 0;
      postingValues[at] = postings[index + 1] ?? 0;
    }
  }
  return { postingStarts, postingEntries, postingValues };
}
