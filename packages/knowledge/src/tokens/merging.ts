import { END_MARK } from './characters.ts';
import { partRank } from './order-mark.ts';
import { RankHeap } from './rank-heap.ts';
import { NONE, type Vocabulary } from './vocabulary.ts';

/** Hardly any piece is longer. What a longer one needs is made for it alone. */
const USUAL_LENGTH = 512;

/**
 * Merges the bytes of a piece into tokens: of all neighbours those first that together are the
 * token of the lowest rank. A part is known by the place of its first byte in the piece.
 */
export class Merging {
  readonly #vocabulary: Vocabulary;
  readonly #capacity: number;
  readonly #ends: Int32Array;
  readonly #previous: Int32Array;
  /** Of each part with the next one. What the heap has with another rank is outdated. */
  readonly #ranks: Int32Array;
  readonly #heap: RankHeap;
  /** A copy, so that no text is kept longer than it is counted. */
  readonly #piece: Uint8Array;
  #length = 0;

  constructor(vocabulary: Vocabulary, capacity = USUAL_LENGTH) {
    this.#vocabulary = vocabulary;
    this.#capacity = capacity;
    this.#piece = new Uint8Array(capacity + 1);
    this.#ends = new Int32Array(capacity + 1);
    this.#previous = new Int32Array(capacity);
    this.#ranks = new Int32Array(capacity);
    // First one for each pair; then each merge takes one out and puts at most two in.
    this.#heap = new RankHeap(2 * capacity);
  }

  /** How many tokens the bytes from `start` to `end` are. */
  count(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length > this.#capacity) {
      return new Merging(this.#vocabulary, length).count(bytes, start, end);
    }
    this.#length = length;
    this.#piece[length] = END_MARK;
    for (let at = 0; at < length; at++) {
      this.#piece[at] = bytes[start + at] as number;
      this.#ends[at] = at + 1;
      this.#previous[at] = at - 1;
    }
    for (let at = 0; at < length; at++) this.#rate(at);
    let count = length;
    while (this.#heap.takeLowest()) {
      if (this.#ranks[this.#heap.place] !== this.#heap.rank) continue;
      this.#joinNext(this.#heap.place);
      count -= 1;
    }
    return count;
  }

  #joinNext(at: number): void {
    const next = this.#ends[at] as number;
    const end = this.#ends[next] as number;
    this.#ends[at] = end;
    this.#ranks[next] = NONE;
    if (end < this.#length) this.#previous[end] = at;
    this.#rate(at);
    if (at > 0) this.#rate(this.#previous[at] as number);
  }

  #rate(at: number): void {
    const next = this.#ends[at] as number;
    const end = this.#ends[next] as number;
    const rank = next < this.#length ? partRank(this.#vocabulary, this.#piece, at, end) : NONE;
    this.#ranks[at] = rank;
    if (rank !== NONE) this.#heap.push(rank, at);
  }
}
