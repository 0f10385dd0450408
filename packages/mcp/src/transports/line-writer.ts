import type { Writable } from 'node:stream';

/** Beyond this a batch is written at once instead of growing further. */
const BATCH_CHARACTERS = 256 * 1024;

/**
 * Writes lines, all of a turn of the event loop in one go, and tells the reader to hold back
 * while the other side does not read.
 */
export class LineWriter {
  readonly #output: Writable;
  readonly #onPressure: (isFull: boolean) => void;
  #queue: string[] = [];
  #queued = 0;
  #scheduled = false;
  #full = false;

  constructor(output: Writable, onPressure: (isFull: boolean) => void) {
    this.#output = output;
    this.#onPressure = onPressure;
    output.on('drain', this.#onDrain);
  }

  write(line: string): void {
    this.#queue.push(line, '\n');
    this.#queued += line.length;
    if (this.#full) return;
    if (this.#queued > BATCH_CHARACTERS) this.#flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      // After all promises that can settle now: the replies to a whole chunk of requests go together.
      process.nextTick(() => {
        this.#scheduled = false;
        if (!this.#full) this.#flush();
      });
    }
  }

  /** Between two lines, so that an output whose reader has gone fails now and not at the next line. */
  writeBlank(): void {
    if (this.#queue.length > 0 || this.#output.writableLength > 0 || this.#output.destroyed) return;
    this.#output.write(' ');
  }

  /** Resolves when everything has been handed to the operating system, or can no longer be. */
  end(): Promise<void> {
    return new Promise((resolve) => {
      const { destroyed, writableEnded } = this.#output;
      if (destroyed || writableEnded) return resolve(this.#detach());
      const done = () => resolve(this.#detach());
      this.#output.once('close', done);
      this.#output.write(this.#take(), done);
    });
  }

  #detach(): void {
    this.#output.off('drain', this.#onDrain);
  }

  readonly #onDrain = () => {
    this.#full = false;
    if (this.#queue.length > 0) this.#flush();
    if (!this.#full) this.#onPressure(false);
  };

  #take(): string {
    const batch = this.#queue.join('');
    this.#queue = [];
    this.#queued = 0;
    return batch;
  }

  #flush(): void {
    if (this.#queue.length === 0 || this.#output.destroyed) return;
    if (this.#output.write(this.#take())) return;
    this.#full = true;
    this.#onPressure(true);
  }
}
