import { hashBytes, isSame } from './bytes.ts';
import type { TokenData } from './token-data.ts';

/** No token has these bytes. Greater than every rank, since the lowest is looked for. */
export const NONE = 0x7fff_ffff;

/** Somewhat more than tokens: most of what is looked up is not there. */
const HASH_BITS = 18;

/** Finds the rank of a token by its bytes, in a hash table of lists. */
export class Vocabulary {
  readonly #bytes: Uint8Array;
  /** Where the bytes of each token begin, and where the last ends. */
  readonly #starts: Uint32Array;
  /** By hash: one more than the rank of the first token that has it; 0 if none has. */
  readonly #firsts: Uint32Array;
  /** By rank: the same of the next token that has this hash. */
  readonly #nexts: Uint32Array;

  constructor({ lengths, bytes }: TokenData) {
    const count = lengths.length;
    const starts = new Uint32Array(count + 1);
    const firsts = new Uint32Array(2 ** HASH_BITS);
    const nexts = new Uint32Array(count);
    let start = 0;
    for (let rank = 0; rank < count; rank++) {
      const end = start + (lengths[rank] as number);
      const hash = hashBytes(bytes, start, end) >>> (32 - HASH_BITS);
      nexts[rank] = firsts[hash] as number;
      firsts[hash] = rank + 1;
      starts[rank + 1] = end;
      start = end;
    }
    this.#bytes = bytes;
    this.#starts = starts;
    this.#firsts = firsts;
    this.#nexts = nexts;
  }

  /** The rank of the token that has these bytes, or `NONE`. */
  rank(bytes: Uint8Array, start: number, end: number): number {
    let next = this.#firsts[hashBytes(bytes, start, end) >>> (32 - HASH_BITS)] as number;
    while (next !== 0) {
      const rank = next - 1;
      const own = this.#starts[rank] as number;
      const length = (this.#starts[next] as number) - own;
      if (length === end - start && isSame(bytes, start, end, this.#bytes, own)) return rank;
      next = this.#nexts[rank] as number;
    }
    return NONE;
  }
}
