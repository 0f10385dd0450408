import { BatonError } from '@baton/core';

/** Of the store itself, such as a full disk: the same may work the next time. */
export function isStoreTrouble(error: unknown): boolean {
  return error instanceof BatonError && error.code.startsWith('store_');
}
