/** One at a time, first come first served, within this process. */
export class QueueLock {
  #tail: Promise<void> = Promise.resolve();

  /** Resolves with the function that lets the next one in. */
  async acquire(signal?: AbortSignal): Promise<() => void> {
    const before = this.#tail;
    let release = () => {};
    this.#tail = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    // Whoever gives up must still let the next one in.
    if (signal?.aborted) release();
    signal?.throwIfAborted();
    return release;
  }
}
