import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import type { Store } from '@baton/store';
import { createRandom, temporaryFolder } from '@baton/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentsOf, fillStore } from './full-store.ts';
import { openHere, refusalOf } from './open-here.ts';
import { addPair, readPairs } from './pairs.ts';

const FLIPS = Number(process.env['BATON_TEST_FLIPS'] ?? 200);
const SEED = Number(process.env['BATON_TEST_SEED'] ?? 20);

type Contents = Awaited<ReturnType<typeof contentsOf>>;
type Outcome =
  | 'refused when it is opened'
  | 'refused when it is read'
  | 'found by check()'
  | 'other contents, not noticed'
  | 'the same contents';

const folder = temporaryFolder();
let bytes: Buffer;
let contents: Contents;

beforeAll(async () => {
  const file = path.join(folder.path, 'store.db');
  const store = await openHere(file);
  await fillStore(store, 150);
  contents = await contentsOf(store);
  await store.close();
  bytes = readFileSync(file);
});
afterAll(() => folder[Symbol.dispose]());

/*
 * SQLite has no checksums of its pages, so a flip within a value passes for another value. What
 * must not happen is that rows vanish without a word, or that the process does.
 */
test(
  `${cites('T20')} ${FLIPS} flipped bits: refused, found, or every row is still there`,
  async () => {
    const random = createRandom(SEED);
    const described = bytesOfDescription();
    expect(described.length).toBeGreaterThan(1000);
    const outcomes = new Map<Outcome, number>();
    for (let flip = 0; flip < FLIPS; flip += 1) {
      const bit = random.integer(8);
      // Each fifth among the names of the tables and columns, which are few bytes of many.
      const at = flip % 5 === 0 ? random.pick(described) : random.integer(bytes.length);
      const outcome = await outcomeOf(at, bit, flip % 4 === 0).catch((error: unknown) => {
        throw new Error(`Bit ${bit} of byte ${at}, seed ${SEED}`, { cause: error });
      });
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    const rows = [...contents.values()].reduce((sum, { length }) => sum + length, 0);
    process.stdout.write(`${FLIPS} flips in ${bytes.length} bytes, ${rows} rows:\n`);
    for (const [outcome, count] of outcomes) process.stdout.write(`${count} ${outcome}\n`);
    // Otherwise it has tested something else.
    expect(outcomes.get('refused when it is read')).toBeGreaterThan(FLIPS / 100);
    expect(outcomes.get('found by check()')).toBeGreaterThan(FLIPS / 100);
  },
  60_000 + FLIPS * 100,
);

// Its frames have checksums: SQLite reads up to the last transaction before the damage.
test(
  `${cites('T20')} ${FLIPS} flipped bits of the WAL: whole transactions up to some point, nothing else`,
  async () => {
    const random = createRandom(SEED);
    const file = path.join(folder.path, 'wal.db');
    const filled = await openHere(file);
    for (let number = 10; number < 20; number += 1) await addPair(filled, `${number}`, 1500);
    await filled.close();
    const store = await openHere(file);
    for (let number = 20; number < 40; number += 1) await addPair(store, `${number}`, 1500);
    const pairs = await readPairs(store);
    const [main, log] = [readFileSync(file), readFileSync(`${file}-wal`)];
    await store.close();
    const lengths = new Set<number>();
    for (let flip = 0; flip < FLIPS; flip += 1) {
      const at = random.integer(log.length);
      const bit = random.integer(8);
      const flipped = Buffer.from(log);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
      const copy = path.join(folder.path, `wal-${flip}.db`);
      writeFileSync(copy, main);
      writeFileSync(`${copy}-wal`, flipped);
      const found = await openHere(copy);
      const keys = await readPairs(found);
      expect(keys, `bit ${bit} of byte ${at}, seed ${SEED}`).toEqual(pairs.slice(0, keys.length));
      expect(keys.length).toBeGreaterThanOrEqual(10); // What is in the file itself.
      expect(await found.check()).toEqual([]);
      lengths.add(keys.length);
      await found.close();
      for (const end of ['', '-wal', '-shm']) rmSync(copy + end, { force: true });
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(lengths.size).toBeGreaterThan(10);
  },
  60_000 + FLIPS * 100,
);

function bytesOfDescription(): number[] {
  const found = [...bytes.toString('latin1').matchAll(/CREATE (TABLE|INDEX) "[\x20-\x7e]*/g)];
  return found.flatMap(({ index, 0: text }) => Array.from(text, (_, offset) => index + offset));
}

async function outcomeOf(at: number, bit: number, isWritten: boolean): Promise<Outcome> {
  const file = path.join(folder.path, `${at}-${bit}.db`);
  const flipped = Buffer.from(bytes);
  flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
  writeFileSync(file, flipped);
  try {
    let store: Store | undefined;
    const refusal = await refusalOf(async () => {
      store = await openHere(file);
    });
    if (!store) {
      expect(['store_corrupt', 'store_unexpected', 'store_too_new']).toContain(refusal?.code);
      expect(refusal?.message).toContain(file);
      expect(readFileSync(file).equals(flipped)).toBe(true);
      return 'refused when it is opened';
    }
    const outcome = await outcomeOfUse(store, isWritten);
    await store.close();
    return outcome;
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
    // One of the libraries closes its files only in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function outcomeOfUse(store: Store, isWritten: boolean): Promise<Outcome> {
  let found: Contents = new Map();
  const unread = await refusalOf(async () => {
    found = await contentsOf(store);
  });
  let findings: readonly string[] = [];
  const unchecked = await refusalOf(async () => {
    findings = await store.check();
  });
  const unwritten = await refusalOf(async () => isWritten && addPair(store, 'new'));
  for (const refusal of [unread, unchecked, unwritten]) {
    if (refusal) expect(['store_corrupt', 'store_unexpected']).toContain(refusal.code);
  }
  if (unread) return 'refused when it is read';
  if (unchecked || findings.length > 0) return 'found by check()';
  for (const [table, rows] of contents) expect(found.get(table)).toHaveLength(rows.length);
  const isSame = [...contents].every(([table, rows]) => `${found.get(table)}` === `${rows}`);
  return isSame ? 'the same contents' : 'other contents, not noticed';
}
