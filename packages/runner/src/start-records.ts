import type { Log } from '@baton/core';
import { type Claimed, isLost, recordStart } from '@baton/plans/jobs';
import type { Store } from '@baton/store';

/** Many jobs end sooner, and then nobody needs to know their process. Windows has no other way to find it. */
const DELAY_MS = process.platform === 'win32' ? 0 : 100;

interface Start {
  readonly claimed: Claimed;
  readonly pid: number;
}

/** Writes down which process a job runs in, for several jobs at once. */
export class StartRecords {
  readonly #store: Store;
  readonly #log: Log;
  readonly #isRunning: (claimed: Claimed) => boolean;
  readonly #onRecorded: (claimed: Claimed) => void;
  #starts: Start[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(
    store: Store,
    log: Log,
    isRunning: (claimed: Claimed) => boolean,
    onRecorded: (claimed: Claimed) => void,
  ) {
    this.#store = store;
    this.#log = log;
    this.#isRunning = isRunning;
    this.#onRecorded = onRecorded;
  }

  add(claimed: Claimed, pid: number): void {
    this.#starts.push({ claimed, pid });
    this.#timer ??= setTimeout(() => this.#write(), DELAY_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #write(): void {
    this.#timer = undefined;
    const starts = this.#starts.filter(({ claimed }) => this.#isRunning(claimed));
    this.#starts = [];
    if (starts.length === 0) return;
    this.#store
      .write('relaxed', async (tx) => {
        for (const { claimed, pid } of starts) {
          await recordStart(tx, claimed, pid).catch((error: unknown) => {
            if (!isLost(error)) throw error;
          });
        }
      })
      .then(
        () => {
          for (const { claimed } of starts) this.#onRecorded(claimed);
        },
        (error: unknown) => this.#log.write('warn', `a start was not recorded: ${error}`),
      );
  }
}
