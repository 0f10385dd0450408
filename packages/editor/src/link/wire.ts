import type { Socket } from 'node:net';

const LINE_FEED = 10;

export interface WireEvents {
  message(message: unknown): void;
  /** Once, whoever has ended it. */
  ended(): void;
}

/** Messages in JSON, one in a line. Who sends anything else is cut off. */
export class Wire {
  readonly #socket: Socket;
  readonly #events: WireEvents;
  #parts: Buffer[] = [];
  #size = 0;
  maxBytes: number;

  constructor(socket: Socket, maxBytes: number, events: WireEvents) {
    this.#socket = socket;
    this.#events = events;
    this.maxBytes = maxBytes;
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    socket.on('error', () => {}); // What follows it tells the same.
    socket.once('close', () => events.ended());
  }

  send(message: object): void {
    if (this.#socket.writable) this.#socket.write(`${JSON.stringify(message)}\n`);
  }

  end(): void {
    this.#socket.destroy();
  }

  /** Whether the process stays for it. */
  set isAwaited(isAwaited: boolean) {
    if (isAwaited) this.#socket.ref();
    else this.#socket.unref();
  }

  #onData(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      this.#keep(chunk.subarray(start, end));
      start = end + 1;
      this.#onLine();
      if (this.#socket.destroyed) return;
    }
    this.#keep(chunk.subarray(start));
  }

  #keep(part: Buffer): void {
    this.#parts.push(part);
    this.#size += part.length;
    if (this.#size > this.maxBytes) this.#socket.destroy();
  }

  #onLine(): void {
    if (this.#socket.destroyed) return;
    const line = Buffer.concat(this.#parts, this.#size).toString('utf8');
    this.#parts = [];
    this.#size = 0;
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.#socket.destroy();
      return;
    }
    if (isObject(message)) this.#events.message(message);
    else this.#socket.destroy();
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
