const PLACES = 2 ** 32;

/** Ranks at places of a text. The lowest comes out first, and of equals the leftmost. */
export class RankHeap {
  /** Rank and place as one number, so that one comparison does. */
  readonly #keys: Float64Array;
  #size = 0;
  #lowest = 0;

  constructor(capacity: number) {
    this.#keys = new Float64Array(capacity);
  }

  /** Of what `takeLowest` has taken out. */
  get rank(): number {
    return (this.#lowest / PLACES) | 0;
  }

  get place(): number {
    return this.#lowest - this.rank * PLACES;
  }

  push(rank: number, place: number): void {
    const keys = this.#keys;
    const key = rank * PLACES + place;
    let at = this.#size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((keys[parent] as number) <= key) break;
      keys[at] = keys[parent] as number;
      at = parent;
    }
    keys[at] = key;
  }

  /** False if nothing is left. */
  takeLowest(): boolean {
    if (this.#size === 0) return false;
    const keys = this.#keys;
    this.#lowest = keys[0] as number;
    const size = --this.#size;
    const key = keys[size] as number;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && (keys[child + 1] as number) < (keys[child] as number)) child++;
      if ((keys[child] as number) >= key) break;
      keys[at] = keys[child] as number;
      at = child;
    }
    keys[at] = key;
    return true;
  }
}
