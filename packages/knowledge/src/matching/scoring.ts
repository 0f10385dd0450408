import type { Segment } from '../index/segment.ts';
import type { Collection, PlacedPart } from './collection.ts';
import type { Alternative, Slot } from './slots.ts';

/** How much entries are about something. */
export class Matches {
  /** For each entry of the collection. */
  readonly values: Float32Array;
  readonly #entries: Uint32Array;
  #count = 0;

  constructor(size: number) {
    this.values = new Float32Array(size);
    this.#entries = new Uint32Array(size);
  }

  /** Entries with a value above 0, in any order. */
  get entries(): Uint32Array {
    return this.#entries.subarray(0, this.#count);
  }

  /** Keeps the higher value. */
  raise(entry: number, value: number): void {
    const before = this.values[entry] ?? 0;
    if (value <= before) return;
    if (before === 0) this.#entries[this.#count++] = entry;
    this.values[entry] = value;
  }

  /** The value is above 0. */
  add(entry: number, value: number): void {
    const before = this.values[entry] ?? 0;
    if (before === 0) this.#entries[this.#count++] = entry;
    this.values[entry] = before + value;
  }

  /** Adds the values of others, times a factor above 0. */
  addAll({ entries, values }: Matches, factor: number): void {
    // Counted by hand here and elsewhere: these loops are most of the time that a search takes.
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at] ?? 0;
      this.add(entry, factor * (values[entry] ?? 0));
    }
  }

  clear(): void {
    for (let at = 0; at < this.#count; at++) this.values[this.#entries[at] ?? 0] = 0;
    this.#count = 0;
  }
}

/**
 * What a search counts in. It is kept for the next one: to make it anew would be a good part of the
 * work. A search is over before another begins.
 */
export class Counters {
  readonly sums: Matches;
  readonly word: Matches;
  readonly meaning: Matches;
  /** Which share of the request is in an entry that has a sum. */
  readonly covered: Float32Array;
  /** How certainly an entry that has a meaning is about what is meant. */
  readonly certainty: Float32Array;

  constructor(size: number) {
    this.sums = new Matches(size);
    this.word = new Matches(size);
    this.meaning = new Matches(size);
    this.covered = new Float32Array(size);
    this.certainty = new Float32Array(size);
  }

  clear(): void {
    for (const entry of this.sums.entries) this.covered[entry] = 0;
    for (const entry of this.meaning.entries) this.certainty[entry] = 0;
    for (const matches of [this.sums, this.word, this.meaning]) matches.clear();
  }
}

/** Raises matches to how much each entry is about a word, by the best of what stands for it. */
export function matchSlot(
  matches: Matches,
  { alternatives }: Pick<Slot, 'alternatives'>,
  collection: Collection,
): void {
  for (const alternative of alternatives) {
    for (const part of collection.parts) matchIn(matches, alternative, part);
  }
}

function matchIn(matches: Matches, { stems, weight }: Alternative, part: PlacedPart): void {
  const terms = stems.map((stem) => part.segment.term(stem));
  if (terms.includes(-1)) return;
  const [term = -1] = terms;
  if (terms.length === 1) matchTerm(matches, term, weight, part);
  else matchTogether(matches, terms, weight, part);
}

function matchTerm(matches: Matches, term: number, weight: number, part: PlacedPart): void {
  const { segment, hidden, first } = part;
  const { postingStarts, postingEntries, postingValues } = segment.arrays;
  const end = postingStarts[term + 1] ?? 0;
  const factor = weight / 255;
  for (let at = postingStarts[term] ?? 0; at < end; at++) {
    const local = postingEntries[at] ?? 0;
    if (!hidden[local]) matches.raise(first + local, (postingValues[at] ?? 0) * factor);
  }
}

/** All of the terms must be in an entry; they count by their average. */
function matchTogether(
  matches: Matches,
  terms: readonly number[],
  weight: number,
  { segment, hidden, first }: PlacedPart,
): void {
  const factor = weight / 255 / terms.length;
  // The rarest first: what is common can only become less.
  const [rarest = -1, ...others] = terms.toSorted(
    (a, b) => segment.frequency(a) - segment.frequency(b),
  );
  let common = allWith(segment, rarest);
  for (const term of others) common = inBoth(common, segment, term);
  for (const [index, local] of common.entries.entries()) {
    if (!hidden[local]) matches.raise(first + local, (common.sums[index] ?? 0) * factor);
  }
}

/** Entries that have several terms, in order, and the sums of their values. */
interface Common {
  readonly entries: number[];
  readonly sums: number[];
}

function allWith({ arrays }: Segment, term: number): Common {
  const [start, end] = [arrays.postingStarts[term], arrays.postingStarts[term + 1]];
  return {
    entries: [...arrays.postingEntries.subarray(start, end)],
    sums: [...arrays.postingValues.subarray(start, end)],
  };
}

function inBoth(common: Common, { arrays }: Segment, term: number): Common {
  const { postingStarts, postingEntries, postingValues } = arrays;
  const both: Common = { entries: [], sums: [] };
  const end = postingStarts[term + 1] ?? 0;
  let at = postingStarts[term] ?? 0;
  for (const [index, entry] of common.entries.entries()) {
    while (at < end && (postingEntries[at] ?? 0) < entry) at++;
    if (at === end) break;
    if (postingEntries[at] !== entry) continue;
    both.entries.push(entry);
    both.sums.push((common.sums[index] ?? 0) + (postingValues[at] ?? 0));
  }
  return both;
}
