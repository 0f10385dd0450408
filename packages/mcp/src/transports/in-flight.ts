import type { RequestId } from './frame.ts';

/** The requests of one connection that still wait for their reply. */
export class InFlight {
  readonly #calls = new Set<RequestId>();
  /** Subscriptions are open until somebody ends them, so nobody waits for them to finish. */
  readonly #subscriptions = new Set<RequestId>();
  #onIdle: () => void = () => {};

  has(id: RequestId): boolean {
    return this.#calls.has(id) || this.#subscriptions.has(id);
  }

  add(id: RequestId, method: string): void {
    (method === 'subscriptions/listen' ? this.#subscriptions : this.#calls).add(id);
  }

  settle(id: RequestId): void {
    this.#subscriptions.delete(id);
    if (this.#calls.delete(id) && this.#calls.size === 0) this.#onIdle();
  }

  clear(): void {
    this.#calls.clear();
    this.#onIdle();
  }

  get calls(): readonly RequestId[] {
    return [...this.#calls];
  }

  /** Resolves when every call has been answered, or when the time is up. */
  untilIdle(ms: number): Promise<void> {
    if (this.#calls.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
