import type { Readable } from 'node:stream';
import type { LineReader } from './line-reader.ts';

/** What is taken from a client that does not read its replies, before it has to wait. */
const HOLD_BYTES = 1024 * 1024;

/**
 * Feeds the reader from the input. While held back it goes on taking a little, unread, because
 * only so can it see that the input has ended.
 */
export class Intake {
  readonly #input: Readable;
  readonly #reader: LineReader;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #isHolding = false;
  #isStopped = false;

  constructor(input: Readable, reader: LineReader, onEnd: (reason: string) => void) {
    this.#input = input;
    this.#reader = reader;
    input.on('data', (chunk: Buffer | string) => {
      this.#take(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    });
    input.on('end', () => {
      this.#finish();
      onEnd('end of input');
    });
    input.on('close', () => onEnd('input closed'));
    input.on('error', (error) => onEnd(`input failed: ${error.message}`));
    if (input.readableEnded || input.destroyed) onEnd('end of input');
  }

  hold(): void {
    this.#isHolding = true;
  }

  release(): void {
    this.#isHolding = false;
    // Reading what was held can fill the output again.
    while (!this.#isHolding) {
      const chunk = this.#held.shift();
      if (!chunk) break;
      this.#heldBytes -= chunk.length;
      this.#reader.push(chunk);
    }
    if (!this.#isHolding && !this.#isStopped) this.#input.resume();
  }

  stop(): void {
    this.#isStopped = true;
    this.#held = [];
    this.#input.pause();
  }

  #take(chunk: Buffer): void {
    if (this.#isStopped) return;
    if (!this.#isHolding) {
      this.#reader.push(chunk);
      return;
    }
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes > HOLD_BYTES) this.#input.pause();
  }

  #finish(): void {
    if (this.#isStopped) return;
    for (const chunk of this.#held) this.#reader.push(chunk);
    this.#held = [];
    this.#reader.end();
  }
}
