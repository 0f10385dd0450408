/** Many strings in one block of bytes: nothing has to be made of them when they are loaded. */
export class StringTable {
  readonly offsets: Uint32Array;
  readonly bytes: Uint8Array;
  readonly #buffer: Buffer;

  constructor(offsets: Uint32Array, bytes: Uint8Array) {
    this.offsets = offsets;
    this.bytes = bytes;
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  static of(strings: readonly string[]): StringTable {
    const bytes = Buffer.from(strings.join(''));
    const offsets = new Uint32Array(strings.length + 1);
    let at = 0;
    for (const [index, text] of strings.entries()) {
      at += Buffer.byteLength(text);
      offsets[index + 1] = at;
    }
    return new StringTable(offsets, bytes);
  }

  get length(): number {
    return this.offsets.length - 1;
  }

  at(index: number): string {
    return this.#buffer.toString('utf8', this.offsets[index], this.offsets[index + 1]);
  }

  /** The place of a string in a sorted table, or -1. */
  indexOf(text: string): number {
    const place = this.firstNotBefore(text);
    return place < this.length && this.at(place) === text ? place : -1;
  }

  /** In a table that was sorted by `sort()`: the first that does not come before this one. */
  firstNotBefore(text: string): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.at(middle) < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
