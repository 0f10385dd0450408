import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BatonError, type Environment, stateUnwritable } from '@baton/core';
import type { Sealer } from '@baton/plans';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEPT = 200;

/**
 * Encrypts the variables of jobs with a key that only this user can read, so that neither the
 * store nor a backup or copy of it gives them away. The key is made on first use.
 */
export function createSealer(state: string): Sealer {
  let key: Buffer | undefined;
  // Jobs of a plan share most of it, and a worker opens it for each of them.
  const opened = new Map<string, Environment>();
  return {
    seal(values) {
      key ??= loadKey(state);
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const text = Buffer.concat([cipher.update(JSON.stringify(values), 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
    },
    open(sealed) {
      const known = opened.get(sealed);
      if (known) return known;
      const values = unsealWith(key, sealed) ?? unsealWith(loadKey(state), sealed);
      if (!values) throw keyIsGone();
      if (opened.size >= KEPT) opened.clear();
      opened.set(sealed, values);
      return values;
    },
  };
}

function unsealWith(key: Buffer | undefined, sealed: string): Environment | undefined {
  if (!key) return undefined;
  const bytes = Buffer.from(sealed, 'base64');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return JSON.parse(Buffer.concat([text, decipher.final()]).toString('utf8')) as Environment;
  } catch {
    return undefined; // Of another key: the state folder may have been replaced under us.
  }
}

function keyIsGone(): BatonError {
  return new BatonError(
    'env_unreadable',
    'The variables of the plan cannot be read: the key that they were sealed with is gone.',
    'Make the plan again.',
  );
}

/** One key for all processes: whoever comes first makes it, complete from its first moment. */
function loadKey(state: string): Buffer {
  const file = path.join(state, 'env.key');
  for (;;) {
    const found = readKey(file);
    if (found) return found;
    try {
      makeKey(state, file);
    } catch (error) {
      throw stateUnwritable(file, error);
    }
  }
}

function makeKey(state: string, file: string): void {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true }); // Of an earlier process with our number.
  try {
    writeFileSync(draft, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx' });
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readKey(file: string): Buffer | undefined {
  let key: Buffer;
  try {
    key = readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw stateUnwritable(file, error);
  }
  if (key.length === KEY_BYTES) return key;
  throw new BatonError(
    'env_unreadable',
    `${file} is damaged.`,
    'Remove it; plans whose variables were sealed with it have to be made again.',
  );
}
