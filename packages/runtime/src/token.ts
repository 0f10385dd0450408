import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BatonError } from '@baton/core';

const BYTES = 32;
/** Shorter ones can be guessed; other characters do not survive a header. */
const USABLE = /^[\w.~+/=-]{32,512}$/;

export function createToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(BYTES))).toString('base64url');
}

/** A token that somebody else has chosen. `from` says where it was found. */
export function checkToken(token: string, from: string): string {
  if (USABLE.test(token)) return token;
  throw new BatonError(
    'token_unusable',
    `The token in ${from} is not usable.`,
    'A token has at least 32 characters of A-Z, a-z, 0-9 and . _ ~ + / = -; `baton token --new` makes one.',
  );
}

/** `undefined` if there is no such file. */
export function readToken(file: string): string | undefined {
  try {
    const { mode } = statSync(file);
    // Windows has no such bits: there the profile folder keeps others out.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) throw exposed(file);
    return checkToken(readFileSync(file, 'utf8').trim(), file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (error instanceof BatonError) throw error;
    throw inaccessible(file, 'read', error);
  }
}

/** In one step, and never readable for anybody else. */
export function writeToken(file: string, token: string): void {
  const unfinished = `${file}.${process.pid}`;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    rmSync(unfinished, { force: true }); // Of an earlier process with our number.
    writeFileSync(unfinished, `${token}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(unfinished, file);
  } catch (error) {
    throw inaccessible(file, 'written', error);
  }
}

export function removeToken(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    throw inaccessible(file, 'removed', error);
  }
}

function exposed(file: string): BatonError {
  return new BatonError(
    'token_exposed',
    `Others can read the token in ${file}.`,
    'Make a new one with `baton token --new`.',
  );
}

function inaccessible(file: string, verb: string, cause: unknown): BatonError {
  return new BatonError(
    'token_inaccessible',
    `The token file ${file} cannot be ${verb}: ${(cause as Error).message}.`,
    'Make its folder writable, or give the token in BATON_TOKEN.',
    { cause },
  );
}
