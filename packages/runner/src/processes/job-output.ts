import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';

/** What a process says, on both ways, read no faster than it is taken. */
export class JobOutput {
  readonly #streams: readonly Readable[];
  #taking: Promise<unknown> | undefined;

  constructor(
    { stdout, stderr }: ChildProcess,
    onOutput: (chunk: Buffer) => Promise<unknown> | undefined,
  ) {
    this.#streams = [stdout, stderr].filter((stream) => stream !== null);
    for (const stream of this.#streams) {
      // An output that breaks off is over; one that nobody listens to would end the worker.
      stream.on('data', (chunk: Buffer) => this.#wait(onOutput(chunk))).on('error', () => {});
    }
  }

  /** Resolves when nothing that was read waits any more. */
  async taken(): Promise<void> {
    while (this.#taking !== undefined) await this.#taking;
  }

  close(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  #wait(taking: Promise<unknown> | undefined): void {
    if (!taking) return;
    for (const stream of this.#streams) stream.pause();
    this.#taking = taking;
    void taking.then(() => {
      if (this.#taking !== taking) return;
      this.#taking = undefined;
      for (const stream of this.#streams) stream.resume();
    });
  }
}
