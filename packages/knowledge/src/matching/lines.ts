import { LINE_END } from '../index/segment.ts';
import type { PlacedPart } from './collection.ts';
import type { Slot } from './slots.ts';

/** What the lines of an entry (its title, each use-when line, …) say about a request as a whole. */
export interface LineMatch {
  /** Share of the request, by weight, that is in any line. */
  readonly keyCoverage: number;
  /** How much the best line and the request have in common. */
  readonly best: number;
  /** Slots that are in the best line. */
  readonly inBest: readonly number[];
  /** Share of neighbouring words of the request that are neighbours in a line, too. */
  readonly pairs: number;
}

/** Compares the lines of a segment's entries with a request. */
export class LineMatcher {
  readonly #part: PlacedPart;
  readonly #slots: readonly Slot[];
  readonly #total: number;
  /** Of each term, the slot that it stands for and how well; slots are counted from 1. */
  readonly #slotOf: Uint8Array;
  readonly #weightOf: Float32Array;

  constructor(part: PlacedPart, slots: readonly Slot[]) {
    this.#part = part;
    this.#slots = slots;
    this.#total = slots.reduce((sum, { weight }) => sum + weight, 0) || 1;
    const { segment } = part;
    this.#slotOf = new Uint8Array(segment.terms.length);
    this.#weightOf = new Float32Array(segment.terms.length);
    for (const [slot, { alternatives }] of slots.entries()) {
      for (const { stems, weight } of alternatives) {
        for (const stem of stems) this.#stand(segment.term(stem), slot, weight);
      }
    }
  }

  match(entry: number): LineMatch {
    const { lines, lineStarts } = this.#part.segment.arrays;
    const line = new CommonLine(this.#slots);
    const all = new AllLines(this.#slots, this.#total);
    const end = lineStarts[entry + 1] ?? 0;
    for (let at = lineStarts[entry] ?? 0; at < end; at++) {
      const term = lines[at] ?? 0;
      if (term !== LINE_END) {
        const slot = (this.#slotOf[term] ?? 0) - 1;
        line.add(slot, this.#weightOf[term] ?? 0, this.#part.rarityOf(term));
      } else {
        if (!line.isEmpty) all.add(line);
        line.clear();
      }
    }
    return all;
  }

  #stand(term: number, slot: number, weight: number): void {
    if (term < 0 || (this.#weightOf[term] ?? 0) >= weight) return;
    this.#slotOf[term] = slot + 1;
    this.#weightOf[term] = weight;
  }
}

/** What all lines of an entry and a request have in common. */
class AllLines implements LineMatch {
  best = 0;
  inBest: readonly number[] = [];
  readonly #slots: readonly Slot[];
  readonly #total: number;
  readonly #inAny: Float64Array;
  #pairs = 0;

  constructor(slots: readonly Slot[], total: number) {
    this.#slots = slots;
    this.#total = total;
    this.#inAny = new Float64Array(slots.length);
  }

  add(line: CommonLine): void {
    const value = line.likeness(this.#total);
    if (value > this.best) [this.best, this.inBest] = [value, line.slots];
    line.addTo(this.#inAny);
    this.#pairs += line.pairs;
  }

  get keyCoverage(): number {
    let covered = 0;
    for (const [slot, { weight }] of this.#slots.entries()) {
      covered += weight * (this.#inAny[slot] ?? 0);
    }
    return covered / this.#total;
  }

  get pairs(): number {
    return Math.min(1, this.#pairs / Math.max(1, this.#slots.length - 1));
  }
}

/** What a line and a request have in common. */
class CommonLine {
  readonly #slots: readonly Slot[];
  /** Of each slot, how well the line meets it. */
  readonly #met: Float64Array;
  /** Slots in the line. */
  #inLine: number[] = [];
  #weight = 0;
  #previous = -2;
  pairs = 0;

  constructor(slots: readonly Slot[]) {
    this.#slots = slots;
    this.#met = new Float64Array(slots.length);
  }

  get isEmpty(): boolean {
    return this.#inLine.length === 0;
  }

  get slots(): readonly number[] {
    return this.#inLine;
  }

  /** A word of the line; the slot is -1 if the request does not have it. */
  add(slot: number, weight: number, rarity: number): void {
    this.#weight += rarity;
    if (slot < 0) {
      this.#previous = -2;
      return;
    }
    const before = this.#met[slot] ?? 0;
    if (before === 0) this.#inLine.push(slot);
    if (weight > before) this.#met[slot] = weight;
    if (slot === this.#previous + 1) this.pairs += 1;
    this.#previous = slot;
  }

  clear(): void {
    if (!this.isEmpty) {
      for (const slot of this.#inLine) this.#met[slot] = 0;
      this.#inLine = [];
      this.pairs = 0;
    }
    this.#weight = 0;
    this.#previous = -2;
  }

  /** Both shares count: a line that says just this, and a request that asks for just this. */
  likeness(total: number): number {
    let common = 0;
    for (const slot of this.#inLine) {
      common += (this.#slots[slot]?.weight ?? 0) * (this.#met[slot] ?? 0);
    }
    return Math.sqrt((common / total) * Math.min(1, common / Math.max(this.#weight, 1e-9)));
  }

  addTo(inAny: Float64Array): void {
    for (const slot of this.#inLine) {
      inAny[slot] = Math.max(inAny[slot] ?? 0, this.#met[slot] ?? 0);
    }
  }
}
