import { BatonError } from '@baton/core';

export interface QueryRequestForTest {
  readonly sql: string;
  readonly rows?: number;
  readonly seconds?: number;
  readonly signal?: AbortSignal;
}

/** Why something was refused; fails if it was not, or without a reason for agents. */
export async function refusalOf(running: Promise<unknown>) {
  try {
    await running;
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    const { code, message, next } = error;
    return { code, message, next };
  }
  return { code: 'none', message: '', next: '' };
}
