import type { Part, Segment } from '../index/segment.ts';
import { Counters } from './scoring.ts';

export interface PlacedPart extends Part {
  /** Number of its first entry among those of all parts. */
  readonly first: number;
  /** How much a term says; see `rarity`. */
  rarityOf(term: number): number;
}

/** What is searched: all parts at one moment, with what is true of all of them. */
export class Collection {
  readonly parts: readonly PlacedPart[];
  /** Entries of all parts, hidden ones included. */
  readonly size: number;
  /** Entries that can be found. */
  readonly count: number;
  /** Whether every entry of a single segment can be found: then it knows everything by itself. */
  readonly #isWhole: boolean;
  readonly #frequencies = new Map<string, number>();
  readonly #sums = new Map<string, number>();
  #counters: Counters | undefined;

  constructor(parts: readonly Part[]) {
    this.count = parts.reduce((sum, { segment, hidden }) => sum + segment.count - sumOf(hidden), 0);
    this.#isWhole = parts.length === 1 && this.count === parts[0]?.segment.count;
    let first = 0;
    this.parts = parts.map((part) => {
      const placed = new PartOfCollection(part, first, this);
      first += part.segment.count;
      return placed;
    });
    this.size = first;
  }

  /** Lends what a search counts in. */
  withCounters<Result>(search: (counters: Counters) => Result): Result {
    this.#counters ??= new Counters(this.size);
    try {
      return search(this.#counters);
    } finally {
      this.#counters.clear();
    }
  }

  /** In how many entries a stem is. */
  frequency(stem: string): number {
    const [part] = this.parts;
    if (part && this.#isWhole) return part.segment.frequency(part.segment.term(stem));
    let count = this.#frequencies.get(stem);
    if (count === undefined) {
      count = 0;
      this.eachPosting(stem, () => {
        count = (count ?? 0) + 1;
      });
      // There is no end to words that are nowhere, and to find that out again costs little.
      if (count > 0) this.#frequencies.set(stem, count);
    }
    return count;
  }

  /** The same for a term of a part. */
  frequencyIn({ segment }: Part, term: number): number {
    return this.#isWhole ? segment.frequency(term) : this.frequency(segment.terms.at(term));
  }

  /** How much it says that a word is in an entry: much if few entries have it. */
  rarity(frequency: number): number {
    return Math.log(1 + (this.count + 0.5) / (frequency + 0.5));
  }

  place(entry: number): { readonly part: PlacedPart; readonly local: number } {
    const part = this.parts.findLast(({ first }) => first <= entry);
    if (!part) throw new RangeError(`There is no entry ${entry}`);
    return { part, local: entry - part.first };
  }

  /** Which entries have all of these marks; `undefined` if none is asked for. */
  withMarks(groups: readonly (readonly string[])[]): Uint8Array | undefined {
    if (groups.length === 0) return undefined;
    const met = new Uint8Array(this.size);
    for (const [index, marks] of groups.entries()) {
      for (const mark of marks) {
        this.eachPosting(mark, (entry) => {
          if (met[entry] === index) met[entry] = index + 1;
        });
      }
    }
    return met.map((count) => (count === groups.length ? 1 : 0));
  }

  /** How much all entries together are about a term. */
  sumOf(term: string): number {
    let sum = this.#sums.get(term);
    if (sum === undefined) {
      sum = 0;
      this.eachPosting(term, (_, value) => {
        sum = (sum ?? 0) + value;
      });
      this.#sums.set(term, sum);
    }
    return sum;
  }

  /** Every entry that can be found and has a term, with how much it is about it. */
  eachPosting(term: string, visit: (entry: number, value: number) => void): void {
    for (const { segment, hidden, first } of this.parts) {
      const number = segment.term(term);
      if (number < 0) continue;
      const { postingStarts, postingEntries, postingValues } = segment.arrays;
      const end = postingStarts[number + 1] ?? 0;
      for (let at = postingStarts[number] ?? 0; at < end; at++) {
        const local = postingEntries[at] ?? 0;
        if (!hidden[local]) visit(first + local, (postingValues[at] ?? 0) / 255);
      }
    }
  }
}

class PartOfCollection implements PlacedPart {
  readonly segment: Segment;
  readonly hidden: Uint8Array;
  readonly first: number;
  readonly #collection: Collection;
  /** 0 where it is not known yet. */
  readonly #rarities: Float32Array;

  constructor({ segment, hidden }: Part, first: number, collection: Collection) {
    this.segment = segment;
    this.hidden = hidden;
    this.first = first;
    this.#collection = collection;
    this.#rarities = new Float32Array(segment.terms.length);
  }

  rarityOf(term: number): number {
    const known = this.#rarities[term] ?? 0;
    if (known > 0) return known;
    const rarity = this.#collection.rarity(this.#collection.frequencyIn(this, term));
    this.#rarities[term] = rarity;
    return rarity;
  }
}

function sumOf(numbers: Uint8Array): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}
