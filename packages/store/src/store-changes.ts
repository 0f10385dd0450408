import type { Log } from '@baton/core';
import type { Driver, Watch } from './driver.ts';
import { eventsAfter, newestEvent, type StoreEvent } from './events.ts';

/** What somebody waits for; what is left out stands for any. */
export interface Interest {
  readonly workspace?: string;
  readonly topic?: string;
}

/** Gets the events that it is interested in, or `undefined` if it cannot be known what changed. */
export type ChangeListener = (events: readonly StoreEvent[] | undefined) => void;

interface Subscriber {
  readonly interest: Interest;
  readonly listener: ChangeListener;
}

interface Tail {
  cursor: Promise<number>;
  isReading: boolean;
  /** Somebody has committed while we were reading, perhaps too late for it. */
  isStale: boolean;
  watch: Watch | undefined;
}

/**
 * Tells this process what any process has changed. There is one tail of the event log, and only
 * while somebody listens. A listener is told once for all changes of one moment, and reads again
 * what it is interested in.
 */
export class StoreChanges {
  readonly #driver: Driver;
  readonly #log: Log;
  readonly #subscribers = new Set<Subscriber>();
  #tail: Tail | undefined;

  constructor(driver: Driver, log: Log) {
    this.#driver = driver;
    this.#log = log;
  }

  /** Resolves once nothing can be missed: subscribe first, then read. */
  async subscribe(interest: Interest, listener: ChangeListener): Promise<() => void> {
    const subscriber = { interest, listener };
    this.#subscribers.add(subscriber);
    this.#tail ??= this.#follow();
    const unsubscribe = () => {
      this.#subscribers.delete(subscriber);
      if (this.#subscribers.size === 0) this.end();
    };
    try {
      await this.#tail.cursor;
    } catch (error) {
      unsubscribe();
      throw error;
    }
    return unsubscribe;
  }

  /**
   * Reads until it finds something, again after each change, or until the signal ends the wait;
   * then it returns what it read last.
   */
  async until<Found>(
    interest: Interest,
    read: () => Promise<{ readonly isEnough: boolean; readonly found: Found }>,
    signal: AbortSignal,
  ): Promise<Found> {
    let resolve = () => {};
    const wake = () => resolve();
    const unsubscribe = await this.subscribe(interest, wake);
    signal.addEventListener('abort', wake);
    try {
      for (;;) {
        const changed = new Promise<void>((settle) => {
          resolve = settle;
        });
        const { isEnough, found } = await read();
        if (isEnough || signal.aborted) return found;
        await changed;
      }
    } finally {
      signal.removeEventListener('abort', wake);
      unsubscribe();
    }
  }

  /** This process has committed something itself. */
  wake(): void {
    this.#tail?.watch?.committed();
  }

  end(): void {
    this.#tail?.watch?.end();
    this.#tail = undefined;
  }

  #follow(): Tail {
    const tail: Tail = {
      cursor: this.#driver.read((tx) => newestEvent(tx)),
      isReading: false,
      isStale: false,
      watch: undefined,
    };
    tail.cursor.catch(() => {}); // Each subscriber gets it.
    tail.watch = this.#driver.watch(() => this.#look(tail));
    return tail;
  }

  #look(tail: Tail): void {
    tail.isStale = true;
    if (tail.isReading) return;
    tail.isReading = true;
    this.#read(tail)
      // What cannot be read now is read after the next change.
      .catch((error: unknown) => this.#log.write('debug', `changes cannot be read: ${error}`));
  }

  async #read(tail: Tail): Promise<void> {
    try {
      while (tail.isStale && tail === this.#tail) {
        const before = await tail.cursor;
        tail.isStale = false;
        const { events, cursor, isGap, isMore } = await this.#driver.read((tx) =>
          eventsAfter(tx, before),
        );
        tail.cursor = Promise.resolve(cursor);
        tail.isStale ||= isMore;
        for (const { interest, listener } of [...this.#subscribers]) {
          const meant = events.filter((event) => isMeant(event, interest));
          if (isGap || meant.length > 0) this.#tell(listener, isGap ? undefined : meant);
        }
      }
    } finally {
      // In the same step as the last look at isStale: a change in between would be missed.
      tail.isReading = false;
    }
  }

  /** The others are told too: the events will not come again. */
  #tell(listener: ChangeListener, events: readonly StoreEvent[] | undefined): void {
    try {
      listener(events);
    } catch (error) {
      this.#log.write('warn', `a listener failed: ${error}`);
    }
  }
}

function isMeant(event: StoreEvent, { workspace, topic }: Interest): boolean {
  return (
    (workspace === undefined || event.workspace === workspace) &&
    (topic === undefined || event.topic === topic)
  );
}
