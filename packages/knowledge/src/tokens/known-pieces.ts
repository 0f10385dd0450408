import { hashBytes, isSame } from './bytes.ts';

const SLOT_BITS = 12;
const LONGEST = 32;

/**
 * How many tokens a piece was, since most pieces come again. Each hash has one place, which the
 * latest takes: so it never grows, and nothing has to be put in order.
 */
export class KnownPieces {
  readonly #bytes = new Uint8Array(LONGEST * 2 ** SLOT_BITS);
  readonly #lengths = new Uint8Array(2 ** SLOT_BITS);
  readonly #counts = new Uint8Array(2 ** SLOT_BITS);

  /** 0 if it is not known. */
  countOf(bytes: Uint8Array, start: number, end: number): number {
    const slot = hashBytes(bytes, start, end) >>> (32 - SLOT_BITS);
    const isKnown =
      this.#lengths[slot] === end - start && isSame(bytes, start, end, this.#bytes, slot * LONGEST);
    return isKnown ? (this.#counts[slot] as number) : 0;
  }

  remember(bytes: Uint8Array, start: number, end: number, count: number): void {
    if (end - start > LONGEST) return;
    const slot = hashBytes(bytes, start, end) >>> (32 - SLOT_BITS);
    this.#bytes.set(bytes.subarray(start, end), slot * LONGEST);
    this.#lengths[slot] = end - start;
    this.#counts[slot] = count;
  }
}
