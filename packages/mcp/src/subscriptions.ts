import { invalidParams } from './protocol-error.ts';
import type { ResourceWatches } from './resource-watches.ts';

/** A client cannot make Baton remember more than this. */
const MAX_SUBSCRIPTIONS = 1000;

/** The resources that one client is subscribed to, by whatever ends the subscription. */
export class Subscriptions<Key> {
  readonly #watches: ResourceWatches;
  readonly #open = new Map<Key, readonly (() => void)[]>();
  #count = 0;
  #isClosed = false;

  constructor(watches: ResourceWatches) {
    this.#watches = watches;
  }

  has(key: Key): boolean {
    return this.#open.has(key);
  }

  add(key: Key, uris: readonly string[]): void {
    this.remove(key);
    if (this.#count + uris.length > MAX_SUBSCRIPTIONS) {
      throw invalidParams(
        `At most ${MAX_SUBSCRIPTIONS} subscriptions: unsubscribe from some first.`,
      );
    }
    // A request that was under way when its connection closed.
    if (this.#isClosed) return;
    this.#count += uris.length;
    this.#open.set(
      key,
      uris.map((uri) => this.#watches.watch(uri)),
    );
  }

  remove(key: Key): void {
    const ends = this.#open.get(key) ?? [];
    this.#open.delete(key);
    this.#count -= ends.length;
    for (const end of ends) end();
  }

  close(): void {
    this.#isClosed = true;
    for (const key of [...this.#open.keys()]) this.remove(key);
  }
}
