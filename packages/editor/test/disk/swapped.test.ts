import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { cites } from '@baton/e2e/requirements';
import { describe, expect, test } from 'vitest';
import { type Point, WorkspaceFiles } from '../disk-under-test.ts';
import { Swapper } from './swapper.ts';
import { change, type TestDisk, write } from './test-disk.ts';
import { traceOf, twin } from './twin.ts';

const ROUNDS = 150;

const inSrc = change(
  [write('src/a.ts', 'a', 'A'), write('src/b.ts', 'b'), write('src/new/c.ts', undefined, 'C')],
  [
    { from: 'src/d.ts', to: 'src/deep/D.ts' },
    { from: 'z.ts', to: 'src/z.ts' },
  ],
);

describe(`${cites('T11')} a folder that becomes a link out`, () => {
  const swap = (disk: TestDisk) => {
    renameSync(disk.at('src'), disk.at('kept'));
    symlinkSync(disk.outside, disk.at('src'));
  };

  test.skipIf(process.platform === 'win32')(
    'at any point of a change leads to nothing',
    async () => {
      using whole = twin();
      const points: Point[] = [];
      await whole.changes({ onPoint: (point) => void points.push(point) }).apply(inSrc);
      let refusals = 0;
      for (const index of points.keys()) {
        using disk = twin();
        const before = traceOf(disk.outside);
        let count = 0;
        const onPoint = () => {
          if (count++ === index) swap(disk);
        };
        await disk
          .changes({ onPoint })
          .apply(inSrc)
          .catch(() => {
            refusals += 1;
          });
        await disk.changes().recover();
        expect(traceOf(disk.outside), `swapped when ${points[index]}`).toEqual(before);
      }
      expect(refusals).toBeGreaterThan(points.length / 2);
    },
  );

  test.runIf(process.platform === 'linux')('just before something is done is not followed', () => {
    using disk = twin();
    const before = traceOf(disk.outside);
    new WorkspaceFiles(disk.workspace).within('src', (pathOf) => {
      swap(disk);
      writeFileSync(pathOf('new.ts'), 'new');
      rmSync(pathOf('a.ts'));
    });
    expect(traceOf(disk.outside)).toEqual(before);
    expect(readdirSync(disk.at('kept'))).toEqual(['b.ts', 'd.ts', 'new.ts']);
  });

  test.skipIf(process.platform === 'win32')(
    'after a process was killed is not put right through it',
    async () => {
      using disk = twin();
      const died = new Promise<void>((resolve) => {
        const onPoint = (point: Point) => {
          if (point !== 'committed') return;
          resolve();
          return new Promise<void>(() => {});
        };
        void disk.changes({ onPoint }).apply(inSrc);
      });
      await died;
      swap(disk);
      const before = traceOf(disk.outside);
      await disk.changes().recover();
      expect(traceOf(disk.outside)).toEqual(before);
      expect(disk.log.entries.map(({ message }) => message).join()).toContain(
        'src/a.ts was left alone',
      );
    },
  );

  test.runIf(process.platform === 'linux')(
    'and back, over and over, is only changed when it is inside',
    async () => {
      using disk = twin();
      const before = traceOf(disk.outside);
      await using swapper = await Swapper.start(disk);
      const changes = disk.changes();
      const seen = { applied: 0, refused: 0 };
      let [from, to] = ['a', 'A'];
      while (seen.applied < ROUNDS / 10 || seen.applied + seen.refused < ROUNDS) {
        const asked = change([write('src/a.ts', from, to), write('src/new.ts', undefined, 'n')]);
        try {
          const id = await changes.apply(asked);
          seen.applied += 1;
          await changes.undo(id).catch(() => {}); // It may lead out by now.
        } catch {
          seen.refused += 1;
        }
        expect(traceOf(disk.outside)).toEqual(before);
        await swapper.pause(() => {
          // Whatever became of it, the next round begins anew.
          const folder = existsSync(disk.at('kept')) ? 'kept' : 'src';
          from = readFileSync(disk.at(`${folder}/a.ts`), 'utf8');
          to = from === 'a' ? 'A' : 'a';
          rmSync(disk.at(`${folder}/new.ts`), { force: true });
        });
      }
      expect(seen.refused).toBeGreaterThan(0);
      expect(readdirSync(disk.outside).sort()).toEqual(['a.ts', 'b.ts', 'd.ts']);
    },
  );
});

describe('where the system does not tell what was opened,', () => {
  test.skipIf(process.platform === 'win32')('paths are looked at before and after', () => {
    using disk = twin();
    symlinkSync(disk.outside, disk.at('link'));
    symlinkSync('src', disk.at('inner'));
    const files = new WorkspaceFiles(disk.workspace, false);
    expect(files.holds('src/a.ts', Buffer.from('a'))).toBe(true);
    expect(files.holds('inner/a.ts', Buffer.from('a'))).toBe(true);
    expect(files.look('src/missing/a.ts')).toBeUndefined();
    for (const folder of ['link', 'link/missing', '../outside']) {
      expect(() => files.within(folder, () => 0)).toThrow('outside');
    }
    const swapMeanwhile = () => {
      renameSync(disk.at('src'), disk.at('kept'));
      symlinkSync('kept', disk.at('src'));
    };
    expect(() => files.within('src', swapMeanwhile)).toThrow('outside');
  });
});
