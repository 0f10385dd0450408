import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BatonError } from '@baton/core';

/** The tokens of o200k in the order of their ranks, as scripts/bundle/token-data.mjs writes them. */
export interface TokenData {
  readonly lengths: Uint8Array;
  /** Of all tokens, one after another. */
  readonly bytes: Uint8Array;
}

/** Hashed with the data: a program that runs may find the file of a newer one in its place. */
const LAYOUT = 'baton o200k 1';
const DIGEST_BYTES = 32;
const COUNT_BYTES = 4;

export function readTokenData(file: string): TokenData {
  const content = read(file);
  const data = content.subarray(DIGEST_BYTES);
  const digest = createHash('sha256').update(LAYOUT).update(data).digest();
  if (!digest.equals(content.subarray(0, DIGEST_BYTES))) {
    throw unusable(`is damaged or belongs to another version: ${file}`);
  }
  const end = COUNT_BYTES + data.readUInt32LE();
  return { lengths: data.subarray(COUNT_BYTES, end), bytes: data.subarray(end) };
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw unusable(`cannot be read: ${(cause as Error).message}`, cause);
  }
}

function unusable(what: string, cause?: unknown): BatonError {
  return new BatonError(
    'token_data_missing',
    `The file that tokens are counted with ${what}.`,
    'Install Baton again; in a checkout of its repository, run npm run build.',
    { cause },
  );
}
