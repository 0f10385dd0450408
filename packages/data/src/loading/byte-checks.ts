import { isUtf8 } from 'node:buffer';
import type { Format } from './formats.ts';

/** Longer lines are no records. */
const LONGEST_LINE = 8 * 1024 * 1024;
/** The engine would overflow its stack. */
const DEEPEST_JSON = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BREAK = 10;

/** Where a byte of JSON stands. With the byte itself, each is a place in the tables below. */
const OUTSIDE = 0;
const TEXT = 256;
const ESCAPED = 512;
/** Where the next byte stands, and how much deeper. Branches for every byte would be far slower. */
const NEXT = new Uint16Array(768).fill(TEXT, TEXT);
NEXT[OUTSIDE | QUOTE] = TEXT;
NEXT[TEXT | QUOTE] = OUTSIDE;
NEXT[TEXT | BACKSLASH] = ESCAPED;
const DEEPER = new Int8Array(768);
for (const bracket of '[{') DEEPER[OUTSIDE | bracket.charCodeAt(0)] = 1;
for (const bracket of ']}') DEEPER[OUTSIDE | bracket.charCodeAt(0)] = -1;

/** Looks at the bytes of a text file as they come by; the first problem is kept. */
export class ByteChecks {
  readonly #isJson: boolean;
  readonly #isLines: boolean;
  problem: { readonly line: number; readonly message: string } | undefined;
  /** Whether it is no UTF-8: then it is taken as Windows-1252, as spreadsheets write it. */
  isForeign = false;
  #line = 1;
  #lineBytes = 0;
  #depth = 0;
  #state = OUTSIDE;
  /** The beginning of a character that goes on in the next bytes. */
  #rest: Buffer = Buffer.alloc(0);

  constructor(format: Format) {
    this.#isLines = format === 'ndjson';
    this.#isJson = format === 'json' || this.#isLines;
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
      const at = bytes.indexOf(BREAK, from);
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
    // A broken line says nothing about the next one.
    const start = this.#isLines ? BREAK : -1;
    let [state, depth] = [this.#state, this.#depth];
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (byte === start) {
        state = OUTSIDE;
        depth = 0;
        continue;
      }
      const step = state | byte;
      depth += DEEPER[step] as number;
      state = NEXT[step] as number;
      if (depth > DEEPEST_JSON) {
        this.#reportDepth(bytes, at, line);
        return;
      }
    }
    [this.#state, this.#depth] = [state, depth];
  }

  #reportDepth(bytes: Buffer, at: number, line: number): void {
    const breaks = bytes.subarray(0, at).filter((byte) => byte === BREAK).length;
    const message = `This is nested more than ${DEEPEST_JSON} deep.`;
    this.problem = { line: line + breaks, message };
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
