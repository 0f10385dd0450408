/**
 * An expected failure. `code` is stable and part of the public contract,
 * `message` says what happened, `next` says what the caller can do about it.
 */
export class BatonError extends Error {
  override readonly name = 'BatonError';
  readonly code: string;
  readonly next: string;

  constructor(code: string, message: string, next: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.next = next;
  }
}

/** The part of a failure that leaves Baton. */
export interface ErrorReport {
  readonly code: string;
  readonly message: string;
  readonly next: string;
}
