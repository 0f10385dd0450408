import type { LogFiles, LogWriter } from '@baton/store';
import { isStoreTrouble } from './store-trouble.ts';

const SYNC_MS = 300;

/** The output of one attempt. Its file is made with the first output: most jobs of a flood have none. */
export class JobLog {
  readonly #files: LogFiles;
  readonly #id: string;
  readonly #onFailure: (error: unknown) => void;
  #opening: Promise<LogWriter | undefined> | undefined;
  #writer: LogWriter | undefined;
  #early: Buffer[] = [];
  #timer: NodeJS.Timeout | undefined;
  #failure: unknown;
  #end = 0;

  constructor(files: LogFiles, id: string, onFailure: (error: unknown) => void) {
    this.#files = files;
    this.#id = id;
    this.#onFailure = onFailure;
  }

  /** How much has been written so far. */
  get end(): number {
    return this.#end;
  }

  get failure(): unknown {
    return this.#failure;
  }

  /** A promise if it cannot be written yet: whoever goes on meanwhile fills the memory. */
  write(chunk: Buffer): Promise<unknown> | undefined {
    if (this.#failure) return undefined;
    this.#end += chunk.length;
    if (!this.#writer) {
      this.#early.push(chunk);
      this.#opening ??= this.#open();
      return this.#opening;
    }
    try {
      this.#writer.write(chunk);
    } catch (error) {
      this.#fail(error);
    }
    // Readers hear of what was written at a pace that they can follow.
    this.#timer ??= setTimeout(() => this.#sync(), SYNC_MS).unref();
    return undefined;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const writer = await this.#opening;
    await writer?.close().catch((error: unknown) => {
      // The output is kept, and nobody needs to be told how long it is.
      if (!isStoreTrouble(error)) this.#fail(error);
    });
  }

  async #open(): Promise<LogWriter | undefined> {
    try {
      const writer = await this.#files.open(this.#id);
      for (const chunk of this.#early) writer.write(chunk);
      this.#early = [];
      this.#writer = writer;
      this.#sync();
      return writer;
    } catch (error) {
      this.#early = [];
      this.#fail(error);
      return undefined;
    }
  }

  #sync(): void {
    this.#timer = undefined;
    // Offsets only help readers; the files themselves know better.
    this.#writer?.sync().catch(() => {});
  }

  #fail(error: unknown): void {
    if (this.#failure) return;
    this.#failure = error;
    this.#onFailure(error);
  }
}
