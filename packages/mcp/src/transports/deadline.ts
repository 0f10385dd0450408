/** A time limit that can be brought forward, never put off. */
export class Deadline {
  #at = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #pass: () => void = () => {};
  readonly passed = new Promise<void>((resolve) => {
    this.#pass = resolve;
  });

  /** Whether this is earlier than what was set before. */
  within(ms: number): boolean {
    const at = performance.now() + ms;
    if (at >= this.#at) return false;
    this.#at = at;
    clearTimeout(this.#timer);
    // Keeps the process alive: a call that waits for nothing else must still get its answer.
    this.#timer = setTimeout(this.#pass, ms);
    return true;
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
