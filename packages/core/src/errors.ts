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

/** An unexpected error as it stands in a log: its stack, and those of its causes. */
export function describeError(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? String(error);
  // A cause may lead back to itself.
  if (error.cause === undefined || depth >= 5) return own;
  return `${own}\ncaused by ${describeError(error.cause, depth + 1)}`;
}
