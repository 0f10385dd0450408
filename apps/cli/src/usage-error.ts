import { BatonError } from '@baton/core';

/** The command line itself was wrong: exit code 2. */
export class UsageError extends BatonError {
  constructor(message: string, next = 'See `baton --help`.') {
    super('usage', message, next);
  }
}
