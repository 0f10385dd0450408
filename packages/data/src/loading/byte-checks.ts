import { isUtf8 } from 'node:buffer';
import type { Format } from './formats.ts';

/** Longer lines are no records. */
const LONGEST_LINE = 8 * 1024 * 1024;
/** The engine would overflow its stack. */
const DEEPEST_JSON = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Looks at the bytes of a text file as they come by; the first problem is kept. */
export class ByteChecks {
  readonly #isJson: boolean;
  problem: { readonly line: number; readonly message: string } | undefined;
  /** Whether it is no UTF-8: then it is taken as Windows-1252, as spreadsheets write it. */
  isForeign = false;
  #line = 1;
  #lineBytes = 0;
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  /** The beginning of a character that goes on in the next bytes. */
  #rest: Buffer = Buffer.alloc(0);

  constructor(format: Format) {
    this.#isJson = format === 'json' || format === 'ndjson';
  }

  look(bytes: Buffer): void {
    if (this.problem) return;
    const line = this.#line;
    this.#lookAtLines(bytes);
    if (!this.isForeign) this.#lookAtEncoding(bytes);
    if (this.#isJson && !this.problem) this.#lookAtNesting(bytes, line);
  }

  end(): void {
    if (this.#rest.length > 0) this.isForeign = true;
  }

  #lookAtLines(bytes: Buffer): void {
    const nul = bytes.indexOf(0);
    let from = 0;
    for (;;) {
      const at = bytes.indexOf(10, from);
      const end = at < 0 ? bytes.length : at;
      this.#lineBytes += end - from;
      if (this.#lineBytes > LONGEST_LINE && !this.#isJson) {
        this.#report('This line is longer than 8 MiB.');
        return;
      }
      if (nul >= from && nul < end) {
        this.#report('This is not a text: it holds a NUL byte.');
        return;
      }
      if (at < 0) return;
      this.#line += 1;
      this.#lineBytes = 0;
      from = at + 1;
    }
  }

  #lookAtEncoding(bytes: Buffer): void {
    const all = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    const end = endOfCharacters(all);
    this.#rest = Buffer.from(all.subarray(end));
    if (!isUtf8(all.subarray(0, end))) {
      this.isForeign = true;
      this.#rest = Buffer.alloc(0);
    }
  }

  /** `line` is the one in which these bytes begin. */
  #lookAtNesting(bytes: Buffer, line: number): void {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (this.#isText) this.#inText(byte);
      else if (byte === QUOTE) this.#isText = true;
      // [ and {, ] and }
      else if (byte === 0x5b || byte === 0x7b) this.#depth += 1;
      else if (byte === 0x5d || byte === 0x7d) this.#depth -= 1;
      if (this.#depth > DEEPEST_JSON) {
        const breaks = bytes.subarray(0, at).filter((one) => one === 10).length;
        const message = `This is nested more than ${DEEPEST_JSON} deep.`;
        this.problem = { line: line + breaks, message };
        return;
      }
    }
  }

  #inText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isText = false;
  }

  #report(message: string): void {
    this.problem = { line: this.#line, message };
  }
}

/** Where the last whole character of UTF-8 ends. */
function endOfCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
