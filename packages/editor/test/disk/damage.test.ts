import { copyFileSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { createRandom } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import type { Point } from '../disk-under-test.ts';
import { bigChange, filesBefore, treeAfter, treeBefore } from './big-change.ts';
import { refusalOf, TestDisk } from './test-disk.ts';

const SEED = Number(process.env['BATON_TEST_SEED'] ?? 20);
const FLIPS = 300;

/** A change that was interrupted, and its journal. */
async function interrupted(at: Point): Promise<{ disk: TestDisk; file: string }> {
  const disk = new TestDisk(filesBefore);
  await new Promise<void>((resolve) => {
    const onPoint = (point: Point) => {
      if (point !== at) return;
      resolve();
      return new Promise<void>(() => {});
    };
    void disk.changes({ onPoint }).apply(bigChange);
  });
  const name = readdirSync(disk.folder).find((one) => !one.endsWith('.progress')) ?? '';
  return { disk, file: path.join(disk.folder, name) };
}

function damaged(file: string) {
  return {
    code: 'journal_damaged',
    message: expect.stringContaining(file),
    next: expect.stringMatching(/version control/),
  };
}

describe(`${cites('T20')} a damaged journal is noticed and not acted upon`, () => {
  test('at every length', async () => {
    const { disk, file } = await interrupted('committed');
    using _ = disk;
    const bytes = readFileSync(file);
    const before = disk.tree();
    expect(bytes.length).toBeGreaterThan(500);
    for (const length of bytes.keys()) {
      writeFileSync(file, bytes.subarray(0, length));
      const refusal = await refusalOf(disk.changes().apply(bigChange));
      expect(refusal, `at ${length}`).toMatchObject(damaged(file));
      expect(readFileSync(file)).toHaveLength(length);
    }
    writeFileSync(file, Buffer.concat([bytes, Buffer.from('\n')]));
    expect(await refusalOf(disk.changes().recover())).toMatchObject(damaged(file));
    expect(disk.tree()).toEqual(before);
    writeFileSync(file, bytes);
    await disk.changes().recover();
    expect(disk.tree()).toEqual(treeAfter);
  });

  test(`with any bit flipped (seed ${SEED})`, async () => {
    const { disk, file } = await interrupted('replaced');
    using _ = disk;
    const random = createRandom(SEED);
    const bytes = readFileSync(file);
    const before = disk.tree();
    for (let flip = 0; flip < FLIPS; flip++) {
      const place = flip < 100 ? flip : random.integer(bytes.length);
      const flipped = Buffer.from(bytes);
      flipped[place] = (flipped[place] ?? 0) ^ (1 << random.integer(8));
      writeFileSync(file, flipped);
      expect(await refusalOf(disk.changes().recover()), `at ${place}`).toMatchObject(damaged(file));
    }
    expect(disk.tree()).toEqual(before);
    renameSync(file, file.replace('.forward', '.back'));
    const back = file.replace('.forward', '.back');
    expect(await refusalOf(disk.changes().recover())).toMatchObject(damaged(back));
    writeFileSync(back, bytes);
    await disk.changes().recover();
    expect(disk.tree()).toEqual(treeBefore);
  });

  test('if it is a record that is to be undone', async () => {
    using disk = new TestDisk(filesBefore);
    const id = await disk.changes().apply(bigChange);
    const file = path.join(disk.folder, `${id}.done`);
    const bytes = readFileSync(file);
    for (const length of [0, 1, 80, bytes.length - 1]) {
      writeFileSync(file, bytes.subarray(0, length));
      expect(await refusalOf(disk.changes().undo(id))).toMatchObject(damaged(file));
    }
    expect(disk.tree()).toEqual(treeAfter);
  });

  test('and is cleared away if nothing was begun with it', async () => {
    const { disk, file } = await interrupted('journal written');
    using _ = disk;
    const bytes = readFileSync(file);
    for (const length of [0, 50, bytes.length - 1]) {
      writeFileSync(file, bytes.subarray(0, length));
      await disk.changes().recover();
      expect(disk.stages()).toEqual([]);
      expect(disk.log.entries.at(-1)).toMatchObject({
        level: 'warn',
        message: expect.stringContaining(file),
      });
    }
    expect(disk.tree()).toEqual(treeBefore);
  });
});

test('a journal of another workspace is left alone', async () => {
  const { disk, file } = await interrupted('committed');
  using _ = disk;
  using other = new TestDisk(filesBefore);
  await other.changes().recover();
  copyFileSync(file, path.join(other.folder, path.basename(file)));
  await other.changes().recover();
  expect(other.tree()).toEqual(treeBefore);
  expect(other.stages()).toEqual(['.forward']);
  expect(other.log.entries.at(-1)?.message).toContain('of another workspace');
});
