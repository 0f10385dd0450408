import { LINE_END, type Part, Segment, type SegmentArrays, startsOf } from './segment.ts';
import { StringTable } from './string-table.ts';

/** One segment of all entries that are not hidden, in their order. */
export function mergeSegments(parts: readonly Part[]): Segment {
  const merged = parts.map((part) => new MergedPart(part));
  const entries = merged.flatMap((part) => part.kept.map((local) => ({ part, local })));
  for (const [number, { part, local }] of entries.entries()) part.numbers[local] = number;
  const { names, ...postings } = mergePostings(merged);
  const terms = StringTable.of(names);
  const words = StringTable.of(
    [...new Set(merged.flatMap(({ segment }) => allOf(segment.words)))].sort(),
  );
  const records = StringTable.of(entries.map(({ part, local }) => part.segment.recordText(local)));
  const lines = entries.map(({ part, local }) => part.linesOf(local));
  const named = (what: 'keys' | 'paths') =>
    entries.map(({ part, local }) => part.segment[what][local] ?? '');
  return new Segment({
    termOffsets: terms.offsets,
    termBytes: terms.bytes,
    ...postings,
    lineStarts: startsOf(lines.map(({ length }) => length)),
    lines: concatenated(lines),
    wordOffsets: words.offsets,
    wordBytes: words.bytes,
    recordOffsets: records.offsets,
    recordBytes: records.bytes,
    names: Buffer.from([...named('keys'), ...named('paths')].join('\0')),
    stamps: Float64Array.from(
      entries.flatMap(({ part, local }) => {
        const { stamps } = part.segment.arrays;
        return [stamps[local * 2] ?? 0, stamps[local * 2 + 1] ?? 0];
      }),
    ),
  });
}

/** A part, and what its entries and terms are called in the merged segment. */
class MergedPart {
  readonly segment: Segment;
  /** Its entries that are not hidden. */
  readonly kept: readonly number[];
  /** The new number of each entry, -1 for hidden ones. */
  readonly numbers: Int32Array;
  /** The new number of each term. */
  readonly terms: Uint32Array;

  constructor({ segment, hidden }: Part) {
    this.segment = segment;
    this.kept = Array.from({ length: segment.count }, (_, local) => local).filter(
      (local) => !hidden[local],
    );
    this.numbers = new Int32Array(segment.count).fill(-1);
    this.terms = new Uint32Array(segment.terms.length);
  }

  linesOf(local: number): Uint32Array {
    const { lines, lineStarts } = this.segment.arrays;
    return lines
      .subarray(lineStarts[local], lineStarts[local + 1])
      .map((term) => (term === LINE_END ? LINE_END : (this.terms[term] ?? 0)));
  }
}

type PostingArrays = Pick<SegmentArrays, 'postingStarts' | 'postingEntries' | 'postingValues'>;

function mergePostings(parts: readonly MergedPart[]): PostingArrays & { names: string[] } {
  const owners = ownersOfTerms(parts);
  const names = [...owners.keys()].sort();
  const most = parts.reduce((sum, { segment }) => sum + segment.arrays.postingEntries.length, 0);
  const postingEntries = new Uint16Array(most);
  const postingValues = new Uint8Array(most);
  const lengths: number[] = [];
  let at = 0;
  for (const [number, name] of names.entries()) {
    const start = at;
    for (const { part, term } of owners.get(name) ?? []) {
      part.terms[term] = number;
      at = copyPostings(part, term, { postingEntries, postingValues }, at);
    }
    lengths.push(at - start);
  }
  return {
    names,
    postingStarts: startsOf(lengths),
    postingEntries: postingEntries.slice(0, at),
    postingValues: postingValues.slice(0, at),
  };
}

/** Which parts have a term, and under which number. */
function ownersOfTerms(parts: readonly MergedPart[]) {
  const owners = new Map<string, { readonly part: MergedPart; readonly term: number }[]>();
  for (const part of parts) {
    for (const [term, name] of allOf(part.segment.terms).entries()) {
      const others = owners.get(name);
      if (others) others.push({ part, term });
      else owners.set(name, [{ part, term }]);
    }
  }
  return owners;
}

/** Returns where the next posting goes. */
function copyPostings(
  { segment, numbers }: MergedPart,
  term: number,
  into: Pick<PostingArrays, 'postingEntries' | 'postingValues'>,
  from: number,
): number {
  const { postingStarts, postingEntries, postingValues } = segment.arrays;
  const end = postingStarts[term + 1] ?? 0;
  let to = from;
  for (let at = postingStarts[term] ?? 0; at < end; at++) {
    const number = numbers[postingEntries[at] ?? 0] ?? -1;
    if (number < 0) continue;
    into.postingEntries[to] = number;
    into.postingValues[to] = postingValues[at] ?? 0;
    to += 1;
  }
  return to;
}

function allOf(table: StringTable): string[] {
  return Array.from({ length: table.length }, (_, index) => table.at(index));
}

function concatenated(arrays: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    all.set(array, at);
    at += array.length;
  }
  return all;
}
