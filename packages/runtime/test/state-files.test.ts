import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';
import { createSealer } from '../src/sealer.ts';
import { createToken, readToken, writeToken } from '../src/token.ts';

const VALUES = { NAME: 'value' };

function codeOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}

test(`${cites('T20')} a key that is cut off at any length is named, and never made anew`, () => {
  using folder = temporaryFolder();
  const file = path.join(folder.path, 'env.key');
  const sealed = createSealer(folder.path).seal(VALUES);
  const key = readFileSync(file);
  for (let length = 0; length < key.length; length += 1) {
    writeFileSync(file, key.subarray(0, length));
    const sealer = createSealer(folder.path);
    const damaged = expect.objectContaining({
      code: 'env_unreadable',
      message: expect.stringContaining(file),
    });
    expect(() => sealer.seal(VALUES), `${length} bytes`).toThrow(damaged);
    expect(() => sealer.open(sealed), `${length} bytes`).toThrow(damaged);
    expect(readFileSync(file)).toHaveLength(length);
  }
  writeFileSync(file, key);
  expect(createSealer(folder.path).open(sealed)).toEqual(VALUES);
});

test(`${cites('T20')} one flipped bit of a key, or of what it has sealed, gives no other values`, () => {
  using folder = temporaryFolder();
  const file = path.join(folder.path, 'env.key');
  const sealed = createSealer(folder.path).seal(VALUES);
  const flipped = (bytes: Buffer, bit: number) => {
    const copy = Buffer.from(bytes);
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return copy;
  };
  const text = Buffer.from(sealed, 'base64');
  for (let bit = 0; bit < text.length * 8; bit += 1) {
    const other = flipped(text, bit).toString('base64');
    expect(
      codeOf(() => createSealer(folder.path).open(other)),
      `bit ${bit}`,
    ).toBe('env_unreadable');
  }
  const key = readFileSync(file);
  for (let bit = 0; bit < key.length * 8; bit += 1) {
    writeFileSync(file, flipped(key, bit));
    expect(
      codeOf(() => createSealer(folder.path).open(sealed)),
      `bit ${bit}`,
    ).toBe('env_unreadable');
  }
});

test(`${cites('T19')} a key that cannot be made says so, with what to do`, () => {
  using folder = temporaryFolder();
  const state = path.join(folder.path, 'state');
  writeFileSync(state, 'a file where the folder should be');
  expect(() => createSealer(state).seal(VALUES)).toThrow(
    expect.objectContaining({
      code: 'state_unwritable',
      message: expect.stringContaining(path.join(state, 'env.key')),
      next: expect.stringContaining('BATON_STATE'),
    }),
  );
});

test(`${cites('T20')} a token that is too short to be safe is refused, never taken for none`, () => {
  using folder = temporaryFolder();
  mkdirSync(path.join(folder.path, 'config'));
  const file = path.join(folder.path, 'config', 'token');
  const token = createToken();
  writeToken(file, token);
  for (let length = 0; length < 32; length += 1) {
    writeFileSync(file, token.slice(0, length));
    expect(
      codeOf(() => readToken(file)),
      `${length} characters`,
    ).toBe('token_unusable');
  }
});
