/** Letters, digits, `_`, `$`, and whatever is not ASCII. */
const PART_OF_WORD = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 || /[\w$]/.test(String.fromCharCode(byte)) ? 1 : 0,
);

/** A word that is looked for in many files, in their bytes: to decode them all would take longer. */
export class WordBytes {
  readonly #bytes: Buffer;
  readonly #hasStart: boolean;
  readonly #hasEnd: boolean;

  constructor(word: string) {
    this.#bytes = Buffer.from(word, 'utf8');
    // What begins with a slash or a dot may follow anything.
    this.#hasStart = isPart(this.#bytes[0]);
    this.#hasEnd = isPart(this.#bytes.at(-1));
  }

  isIn(text: Buffer): boolean {
    const { length } = this.#bytes;
    for (let at = text.indexOf(this.#bytes); at >= 0; at = text.indexOf(this.#bytes, at + 1)) {
      const isWithin =
        (this.#hasStart && isPart(text[at - 1])) || (this.#hasEnd && isPart(text[at + length]));
      if (!isWithin) return true;
    }
    return false;
  }
}

/** What each of these words has in it: most files are done with after a look for this alone. */
export function sharedBytes(words: readonly string[]): Buffer {
  const [shortest = ''] = words.toSorted((a, b) => a.length - b.length);
  return Buffer.from(words.every((word) => word.includes(shortest)) ? shortest : '', 'utf8');
}

function isPart(byte: number | undefined): boolean {
  return byte !== undefined && PART_OF_WORD[byte] === 1;
}
