/** A binary heap of numbers: `pop` takes the smallest. */
export class SmallestFirst {
  readonly #heap: number[] = [];

  push(value: number): void {
    let at = this.#heap.push(value) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#at(parent) <= value) break;
      this.#heap[at] = this.#at(parent);
      at = parent;
    }
    this.#heap[at] = value;
  }

  pop(): number | undefined {
    const smallest = this.#heap[0];
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) this.#sink(last);
    return smallest;
  }

  #sink(value: number): void {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const child = this.#at(left + 1) < this.#at(left) ? left + 1 : left;
      if (this.#at(child) >= value) break;
      this.#heap[at] = this.#at(child);
      at = child;
    }
    this.#heap[at] = value;
  }

  #at(index: number): number {
    return this.#heap[index] ?? Number.POSITIVE_INFINITY;
  }
}
