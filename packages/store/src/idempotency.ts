import { BatonError } from '@baton/core';
import type { Transaction } from './transaction.ts';

export interface OnceOptions {
  /** Where the key is unique, such as `plan_create <workspace>`. */
  readonly scope: string;
  readonly key: string;
  /** Of the arguments, by `fingerprint`. */
  readonly fingerprint: string;
}

/** The same arguments give the same text, in whatever order their keys stand. */
export async function fingerprint(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonical(value));
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('base64url');
}

/**
 * Does something once for a key: whoever repeats a call whose answer got lost gets the first
 * answer. What was done and that it was done are written in the same transaction.
 */
export async function once<Result>(
  tx: Transaction,
  { scope, key, fingerprint: asked }: OnceOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const { db, now } = tx;
  const before = await db
    .selectFrom('idempotency')
    .select(['fingerprint', 'result'])
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirst();
  if (before && before.fingerprint !== asked) throw conflict(key);
  if (before) return (JSON.parse(before.result) as { result: Result }).result;
  const result = await work();
  await db
    .insertInto('idempotency')
    .values({ scope, key, fingerprint: asked, result: JSON.stringify({ result }), at: now })
    .execute();
  return result;
}

function conflict(key: string): BatonError {
  return new BatonError(
    'key_conflict',
    `The key ${JSON.stringify(key)} was used before with other arguments. Nothing was changed.`,
    'Repeat the call with the same arguments, or use a new key.',
  );
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
