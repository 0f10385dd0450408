import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import type { Store } from '@baton/store';
import { createRandom, temporaryFolder } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import { openHere, refusalOf } from './open-here.ts';
import { addPair, readPairs } from './pairs.ts';

const PAGE = 4096;
const FRAME = PAGE + 24;
const WAL_HEADER = 32;
const SEED = Number(process.env['BATON_TEST_SEED'] ?? 20);

const corrupt = (file: string) =>
  expect.objectContaining({
    code: 'store_corrupt',
    message: expect.stringMatching(`^The store ${file} is damaged: .*It was left as it is`),
    next: expect.stringContaining('put a backup in its place'),
  });

/** What a store holds after its process was killed: the file, and the last pairs in the WAL. */
async function makeKilled(folder: string): Promise<{ file: string; pairs: string[] }> {
  const alive = path.join(folder, 'alive.db');
  const first = await openHere(alive);
  for (let number = 10; number < 30; number += 1) await addPair(first, `${number}`, 1500);
  await first.close();
  const store = await openHere(alive);
  for (let number = 30; number < 40; number += 1) await addPair(store, `${number}`, 1500);
  const pairs = await readPairs(store);
  const file = path.join(folder, 'killed.db');
  for (const end of ['', '-wal']) copyFileSync(alive + end, file + end);
  await store.close();
  return { file, pairs };
}

async function makeClosed(folder: string): Promise<{ file: string; pairs: string[] }> {
  const file = path.join(folder, 'closed.db');
  const store = await openHere(file);
  for (let number = 10; number < 40; number += 1) await addPair(store, `${number}`, 1500);
  const pairs = await readPairs(store);
  await store.close();
  return { file, pairs };
}

/** Every border and its neighbours, all of the header, and some others. */
function offsetsIn(size: number, unit: number, header: number): number[] {
  const random = createRandom(SEED);
  const offsets = new Set<number>();
  for (let border = header % unit; border <= size; border += unit) {
    for (const near of [-1, 0, 1]) offsets.add(border + near);
  }
  for (let offset = 0; offset < 110; offset += 1) offsets.add(offset);
  for (let count = 0; count < 40; count += 1) offsets.add(random.integer(size));
  return [...offsets].filter((offset) => offset >= 0 && offset < size).sort((a, b) => a - b);
}

/** The pairs that are found in a cut copy, or how it was refused. */
async function lookAt(file: string) {
  const before = readFileSync(file);
  let store: Store | undefined;
  let pairs: string[] | undefined;
  let findings: readonly string[] = [];
  const refusal = await refusalOf(async () => {
    store = await openHere(file);
    findings = await store.check();
    pairs = await readPairs(store);
  });
  if (!store) expect(readFileSync(file).equals(before)).toBe(true);
  await store?.close();
  await new Promise((resolve) => setImmediate(resolve));
  return { refusal, findings, pairs };
}

describe(`${cites('T20')} a file that is cut off`, () => {
  test('is refused at every length, and left as it is', async () => {
    using folder = temporaryFolder();
    const { file } = await makeClosed(folder.path);
    const bytes = readFileSync(file);
    const offsets = offsetsIn(bytes.length, PAGE, 0);
    for (const offset of offsets) {
      const cut = path.join(folder.path, `cut-${offset}.db`);
      writeFileSync(cut, bytes.subarray(0, offset));
      expect(await lookAt(cut), `at ${offset}`).toMatchObject({ refusal: corrupt(cut) });
    }
    expect(offsets.length).toBeGreaterThan(200);
  });

  test('is refused, or found by check(), or complete, while the WAL holds the rest', async () => {
    using folder = temporaryFolder();
    const { file, pairs } = await makeKilled(folder.path);
    const bytes = readFileSync(file);
    const outcomes = { refused: 0, found: 0, complete: 0 };
    for (const offset of offsetsIn(bytes.length, PAGE, 0)) {
      const cut = path.join(folder.path, `cut-${offset}.db`);
      writeFileSync(cut, bytes.subarray(0, offset));
      copyFileSync(`${file}-wal`, `${cut}-wal`);
      const found = await lookAt(cut);
      if (found.refusal) {
        // What is gone may be the list of tables itself.
        expect(['store_corrupt', 'store_unexpected']).toContain(found.refusal.code);
        expect(found.refusal.message, `at ${offset}`).toContain(cut);
        outcomes.refused += 1;
      } else if (found.findings.length > 0) {
        outcomes.found += 1;
      } else {
        expect(found.pairs, `at ${offset}`).toEqual(pairs);
        outcomes.complete += 1;
      }
    }
    expect(outcomes.refused).toBeGreaterThan(100);
  });

  test('is read up to its last whole transaction if it is the WAL', async () => {
    using folder = temporaryFolder();
    const { file, pairs } = await makeKilled(folder.path);
    const bytes = readFileSync(`${file}-wal`);
    let last = 20; // So many are in the file itself.
    for (const offset of offsetsIn(bytes.length, FRAME, WAL_HEADER)) {
      const cut = path.join(folder.path, `cut-${offset}.db`);
      copyFileSync(file, cut);
      writeFileSync(`${cut}-wal`, bytes.subarray(0, offset));
      const { refusal, findings, pairs: found = [] } = await lookAt(cut);
      expect({ refusal, findings }, `at ${offset}`).toEqual({ refusal: undefined, findings: [] });
      expect(found, `at ${offset}`).toEqual(pairs.slice(0, found.length));
      expect(found.length).toBeGreaterThanOrEqual(last);
      last = found.length;
    }
    expect(last).toBeGreaterThan(25);
  });
});

describe(`${cites('T20')} what is not a store`, () => {
  test.each<readonly [string, (file: string) => void | Promise<void>]>([
    ['an empty file', (file) => writeFileSync(file, '')],
    ['a text', (file) => writeFileSync(file, 'This is not a database.\n'.repeat(500))],
    ['a short text', (file) => writeFileSync(file, 'hello')],
    ['zeros', (file) => writeFileSync(file, Buffer.alloc(8 * PAGE))],
    [
      'the database of another application',
      async (file) => {
        await (await openHere(file)).close();
        const bytes = readFileSync(file);
        bytes.writeUInt32BE(0x0f055112, 68);
        writeFileSync(file, bytes);
      },
    ],
    [
      'a store whose first page says that there are no tables',
      async (file) => {
        await (await openHere(file)).close();
        const bytes = readFileSync(file);
        // A leaf, no gaps, no cells, nothing after the header.
        bytes.set([13, 0, 0, 0, 0, PAGE >> 8, 0, 0], 100);
        writeFileSync(file, bytes);
      },
    ],
  ])('%s is refused and left as it is', async (_, make) => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'store.db');
    await make(file);
    expect(await lookAt(file)).toMatchObject({ refusal: corrupt(file) });
  });

  test('a folder is refused', async () => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'store.db');
    mkdirSync(file);
    expect(await refusalOf(() => openHere(file))).toEqual(corrupt(file));
  });

  test('a WAL without its file is refused, and kept', async () => {
    using folder = temporaryFolder();
    const { file } = await makeKilled(folder.path);
    const bytes = readFileSync(`${file}-wal`);
    rmSync(file);
    expect(await refusalOf(() => openHere(file))).toEqual(corrupt(file));
    expect(readFileSync(`${file}-wal`).equals(bytes)).toBe(true);
  });

  test('a store is still refused after it was cut while it was closed', async () => {
    using folder = temporaryFolder();
    const { file, pairs } = await makeClosed(folder.path);
    const bytes = readFileSync(file);
    truncateSync(file, bytes.length - 1);
    for (const _ of [1, 2, 3]) expect(await lookAt(file)).toMatchObject({ refusal: corrupt(file) });
    writeFileSync(file, bytes);
    expect(await lookAt(file)).toEqual({ refusal: undefined, findings: [], pairs });
  });
});
