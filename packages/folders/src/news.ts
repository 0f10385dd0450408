/** A checkout changes many files at once. */
const SETTLE_MS = 100;

/** Looks at something again when files have changed, and tells if it is not what it was. */
export class News {
  readonly #look: () => Promise<string | undefined>;
  readonly #tell: () => void;
  #known: { readonly value: string | undefined } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(look: () => Promise<string | undefined>, tell: () => void) {
    this.#look = look;
    this.#tell = tell;
  }

  /** Somebody has been given this: from now on it is news if it changes. */
  told(value: string | undefined): void {
    this.#known ??= { value };
  }

  /** Files have changed, perhaps those that it is about. */
  somethingChanged(): void {
    if (this.#known === undefined) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // What cannot be looked at now is told to whoever asks for it.
      this.#compare().catch(() => {});
    }, SETTLE_MS).unref();
  }

  async #compare(): Promise<void> {
    const value = await this.#look();
    if (value === this.#known?.value) return;
    this.#known = { value };
    this.#tell();
  }
}
