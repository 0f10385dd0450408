import { readdirSync, rmSync } from 'node:fs';
import { cites } from '@baton/e2e/requirements';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Point } from '../disk-under-test.ts';
import { bigChange, filesBefore, treeAfter, treeBefore } from './big-change.ts';
import { applyAct, Changer, forEach } from './changer.ts';
import { refusalOf, TestDisk } from './test-disk.ts';

let changer: Changer;
beforeAll(() => {
  changer = new Changer();
});
afterAll(() => changer[Symbol.dispose]());

const idIn = (disk: TestDisk) => readdirSync(disk.folder).join().replace('.done', '');

/** What a process goes through, if nobody kills it. */
async function pointsOf(disk: TestDisk, act: Parameters<Changer['run']>[1][number]) {
  const [answer, last] = await changer.run(disk, [act]);
  expect(answer).toHaveProperty('ok');
  return last?.points ?? [];
}

/** Stops at the Nth point and never goes on, as if the process had died there. */
async function dieAt(disk: TestDisk, place: number): Promise<Point | undefined> {
  let count = 0;
  return new Promise((resolve, reject) => {
    const onPoint = (point: Point) => {
      if (++count < place) return;
      resolve(point);
      return new Promise<void>(() => {});
    };
    disk
      .changes({ onPoint })
      .recover()
      .then(() => resolve(undefined), reject);
  });
}

describe(`${cites('T8')} a process that is killed`, () => {
  test('at any point of a change has done all of it or nothing, and an undo works', async () => {
    using whole = new TestDisk(filesBefore);
    const points = await pointsOf(whole, applyAct(bigChange));
    expect(whole.tree()).toEqual(treeAfter);
    const committed = points.indexOf('committed');
    expect(points.length - committed).toBeGreaterThan(12);
    await forEach([...points.keys()], async (index) => {
      using disk = new TestDisk(filesBefore);
      expect(await changer.run(disk, [applyAct(bigChange)], { killAt: index + 1 })).toEqual([]);
      const changes = disk.changes();
      await changes.recover();
      const where = `killed when ${points[index]} (${index + 1})`;
      expect(disk.tree(), where).toEqual(index < committed ? treeBefore : treeAfter);
      expect(disk.stages(), where).toEqual(index < committed ? [] : ['.done']);
      if (index < committed) return;
      await changes.undo(idIn(disk));
      expect(disk.tree(), where).toEqual(treeBefore);
    });
  });

  test('at any point of an undo has done all of it or nothing', async () => {
    using whole = new TestDisk(filesBefore);
    const id = await whole.changes().apply(bigChange);
    const points = await pointsOf(whole, { do: 'undo', id });
    expect(whole.tree()).toEqual(treeBefore);
    const committed = points.indexOf('committed');
    await forEach([...points.keys()], async (index) => {
      using disk = new TestDisk(filesBefore);
      const changes = disk.changes();
      const id = await changes.apply(bigChange);
      expect(await changer.run(disk, [{ do: 'undo', id }], { killAt: index + 1 })).toEqual([]);
      const where = `killed when ${points[index]} (${index + 1})`;
      if (index < committed) {
        await changes.recover();
        expect(disk.tree(), where).toEqual(treeAfter);
        await changes.undo(id);
      } else {
        // The call that finds it half done puts it right first.
        expect(await refusalOf(changes.undo(id)), where).toMatchObject({ code: 'undo_unknown' });
      }
      expect(disk.tree(), where).toEqual(treeBefore);
      expect(disk.stages()).toEqual(['.done']);
    });
  });

  test('while it puts things right has put right or has not, however often', async () => {
    using whole = new TestDisk(filesBefore);
    const points = await pointsOf(whole, applyAct(bigChange));
    const halfway = [
      points.indexOf('committed'),
      points.indexOf('replaced'),
      points.indexOf('linked'),
    ];
    await forEach(halfway, async (index) => {
      using disk = new TestDisk(filesBefore);
      await changer.run(disk, [applyAct(bigChange)], { killAt: index + 1 });
      const seen: (Point | undefined)[] = [];
      // Each life gets one point further than the one before, of what is left.
      do seen.push(await dieAt(disk, 1 + (seen.length % 3)));
      while (seen.at(-1) !== undefined && seen.length < 50);
      expect(seen.length).toBeGreaterThan(3);
      expect(seen.at(-1)).toBeUndefined();
      expect(disk.tree()).toEqual(treeAfter);
      await disk.changes().undo(idIn(disk));
      expect(disk.tree()).toEqual(treeBefore);
    });
  });
});

describe('what a killed process has left is finished,', () => {
  const killedWhen = async (point: Point, files = filesBefore) => {
    using whole = new TestDisk(files);
    const index = (await pointsOf(whole, applyAct(bigChange))).indexOf(point);
    const disk = new TestDisk(files);
    await changer.run(disk, [applyAct(bigChange)], { killAt: index + 1 });
    return disk;
  };

  test('but not over what somebody else has written meanwhile', async () => {
    using disk = await killedWhen('committed');
    disk.write({ 'src/c.ts': 'mine' });
    await disk.changes().recover();
    expect(disk.tree()).toEqual({ ...treeAfter, 'lib/c.ts': 'mine' });
    expect(disk.log.entries).toContainEqual(
      expect.objectContaining({ level: 'warn', message: expect.stringContaining('src/c.ts') }),
    );
    // The record is of what was done.
    const undone = await disk.changes().undo(idIn(disk));
    expect(undone.writes.map(({ file }) => file)).toEqual(['a.ts', 'new/e.ts', 'b.ts']);
    expect(disk.tree()).toEqual({ ...treeBefore, 'src/c.ts': 'mine' });
  });

  test('even if its temporary files are gone', async () => {
    using disk = await killedWhen('committed');
    for (const file of Object.keys(disk.tree())) {
      if (file.includes('.baton-')) rmSync(disk.at(file));
    }
    await disk.changes().recover();
    expect(disk.tree()).toEqual(treeAfter);
  });

  test('before anything else is done', async () => {
    using disk = await killedWhen('replaced');
    const { code } = await refusalOf(disk.changes().apply(bigChange));
    expect(code).toBe('files_changed');
    expect(disk.tree()).toEqual(treeAfter);
  });
});
