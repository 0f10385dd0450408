import { isUtf8 } from 'node:buffer';

export interface LineHandler {
  line(text: string): void;
  /** A line that was longer than the limit; its bytes are gone. */
  oversize(): void;
  /** A line that is not UTF-8: decoding it anyway would change what was said. */
  undecodable(): void;
}

const NEWLINE = 0x0a;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Cuts a byte stream into lines. Bytes are joined once per line, so that the cost of a long
 * message grows with its length and not with its square.
 */
export class LineReader {
  readonly #limit: number;
  readonly #handler: LineHandler;
  #parts: Buffer[] = [];
  #length = 0;
  #discarding = false;
  #atStart = true;

  constructor(limit: number, handler: LineHandler) {
    this.#limit = limit;
    this.#handler = handler;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      this.#append(chunk.subarray(start, end));
      this.#finishLine();
      start = end + 1;
    }
    if (start < chunk.length) this.#append(chunk.subarray(start));
  }

  /** The last line counts even without a newline. */
  end(): void {
    if (this.#length > 0 || this.#discarding) this.#finishLine();
  }

  #append(bytes: Buffer): void {
    if (this.#discarding) return;
    this.#length += bytes.length;
    if (this.#length > this.#limit) {
      this.#discarding = true;
      this.#parts = [];
      return;
    }
    this.#parts.push(bytes);
  }

  #finishLine(): void {
    const parts = this.#parts;
    const discarded = this.#discarding;
    this.#parts = [];
    this.#length = 0;
    this.#discarding = false;
    if (discarded) {
      this.#atStart = false;
      this.#handler.oversize();
      return;
    }
    const [only] = parts;
    let bytes = parts.length === 1 && only ? only : Buffer.concat(parts);
    if (this.#atStart) {
      this.#atStart = false;
      if (bytes.subarray(0, BOM.length).equals(BOM)) bytes = bytes.subarray(BOM.length);
    }
    if (isBlank(bytes)) return;
    if (isUtf8(bytes)) this.#handler.line(bytes.toString());
    else this.#handler.undecodable();
  }
}

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  return true;
}
