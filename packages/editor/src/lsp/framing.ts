const END_OF_HEAD = Buffer.from('\r\n\r\n');
/** A server that sends more has gone wrong. */
const LONGEST_HEAD = 4096;
const LONGEST_MESSAGE = 256 * 1024 * 1024;

/** Cuts what a language server writes into messages. Each byte is copied once at most. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #length = 0;
  /** Of the message that has begun. */
  #wanted: number | undefined;

  /** Throws if it is not the protocol. */
  *read(chunk: Buffer): Generator<unknown> {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    for (;;) {
      this.#wanted ??= this.#readHead();
      if (this.#wanted === undefined || this.#length < this.#wanted) return;
      const body = this.#take(this.#wanted);
      this.#wanted = undefined;
      yield JSON.parse(body.toString('utf8'));
    }
  }

  #readHead(): number | undefined {
    const start = this.#joined().subarray(0, LONGEST_HEAD);
    const end = start.indexOf(END_OF_HEAD);
    if (end < 0) {
      if (start.length >= LONGEST_HEAD) throw new Error('a head of a message has no end');
      return undefined;
    }
    const head = this.#take(end + END_OF_HEAD.length).toString('latin1');
    const length = Number(/^content-length: *(\d{1,12})\r$/im.exec(head)?.[1]);
    if (!(length <= LONGEST_MESSAGE)) throw new Error('a message tells no usable length');
    return length;
  }

  #take(length: number): Buffer {
    const all = this.#joined();
    this.#chunks = [all.subarray(length)];
    this.#length = all.length - length;
    return all.subarray(0, length);
  }

  #joined(): Buffer {
    const [first] = this.#chunks;
    if (first && this.#chunks.length === 1) return first;
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }
}

export function frame(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}
