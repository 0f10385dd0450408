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
    try {
      await unlessAborted(before, signal);
    } catch (error) {
      // Whoever gives up must still let the next one in, when its turn would have come.
      void before.then(release);
      throw error;
    }
    return release;
  }
}

function unlessAborted(turn: Promise<void>, signal?: AbortSignal): Promise<void> {
  if (!signal) return turn;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    void turn.then(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
  });
}
