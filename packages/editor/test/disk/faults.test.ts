import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { temporaryFolder } from '@baton/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bigChange, filesBefore, treeAfter, treeBefore } from './big-change.ts';
import { applyAct, Changer, forEach } from './changer.ts';
import type { Answer } from './programs/changer.ts';
import { SmallDisk } from './small-disk.ts';
import { change, TestDisk, treeOf, write } from './test-disk.ts';

const CALLS =
  'fsync,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,ftruncate,fchmod,utimensat';

type Tree = Readonly<Record<string, string | null>>;

/** Without what waits to be cleared away. */
function withoutTemporary(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([name]) => !name.includes('.baton-')));
}

/** What is there must be what was answered. */
function expectAsTold(answer: Answer | undefined, tree: Tree, where: string): void {
  expect(answer?.unexpected, where).toBeUndefined();
  if (answer?.failed) expect(['change_failed'], where).toContain(answer.failed.code);
  if (answer?.ok) expect(tree, where).toEqual(treeAfter);
  else if (answer?.failed?.message.includes('nothing was changed')) {
    expect(withoutTemporary(tree), where).toEqual(treeBefore);
  } else
    expect(answer?.failed?.message, where).toMatch(/the next call (does the rest|takes it back)/);
}

/** When everything works again. */
function expectPutRight(answer: Answer | undefined, tree: Tree, where: string): void {
  const isDone = answer?.ok || answer?.failed?.message.includes('does the rest');
  expect(tree, where).toEqual(isDone ? treeAfter : treeBefore);
}

/** Of the calls of a kind that a process makes, the Nth. */
interface Place {
  readonly call: string;
  readonly index: number;
}

/** All places of a trace. Calls are counted by kind and thread. */
function placesIn(trace: string): Place[] {
  const counts = new Map<string, number>();
  const found = new Map<string, Place>();
  for (const [, thread, call = ''] of trace.matchAll(/^(\d+) +(\w+)\(/gm)) {
    const index = (counts.get(`${thread} ${call}`) ?? 0) + 1;
    counts.set(`${thread} ${call}`, index);
    found.set(`${call} ${index}`, { call, index });
  }
  return [...found.values()];
}

// It needs strace, which is of Linux.
describe.runIf(process.platform === 'linux')('the Nth operation', () => {
  let changer: Changer;
  let places: Place[];
  beforeAll(async () => {
    changer = new Changer();
    using disk = new TestDisk(filesBefore);
    using folder = temporaryFolder();
    const trace = path.join(folder.path, 'trace');
    await changer.run(disk, [applyAct(bigChange)], {
      command: ['strace', '-f', '-qq', '-o', trace, '-e', `trace=${CALLS}`],
    });
    expect(disk.tree()).toEqual(treeAfter);
    places = placesIn(readFileSync(trace, 'utf8'));
    expect(places.length).toBeGreaterThan(30);
  });
  afterAll(() => changer[Symbol.dispose]());

  const applyWith = async (disk: TestDisk, { call, index }: Place, fault: string, lasting = '') => {
    const options = ['-f', '-qq', '-o', '/dev/null', '-e', `trace=${call}`];
    const command = ['strace', ...options, '-e', `inject=${call}:${fault}:when=${index}${lasting}`];
    return (await changer.run(disk, [applyAct(bigChange)], { command }))[0];
  };

  test.each([
    ['fails once, as if there were no room', 'ENOSPC', '', 1],
    ['and all of its kind after it fail, as if the disk had died', 'EIO', '+', 4],
  ] as const)(`${cites('T19')} %s: all or nothing, and it is told`, async (...args) => {
    const [, error, lasting, each] = args;
    const rare = places.filter(({ call }) => call !== 'fsync');
    const stored = places.filter(({ call, index }) => call === 'fsync' && index % 4 === 1);
    const chosen = [...rare, ...stored].filter((_, index) => index % each === 0);
    let failures = 0;
    await forEach(chosen, async (place) => {
      using disk = new TestDisk(filesBefore);
      const answer = await applyWith(disk, place, `error=${error}`, lasting);
      const where = `at ${place.call} ${place.index}: ${JSON.stringify(answer)}`;
      expectAsTold(answer, disk.tree(), where);
      await disk.changes().recover();
      expectPutRight(answer, disk.tree(), where);
      if (answer?.failed) failures += 1;
    });
    expect(failures).toBeGreaterThan(chosen.length / 2);
  });

  test(`${cites('T8')} is the last of a process that is killed: all or nothing`, async () => {
    const chosen = places.filter(({ call }) => /^(rename|link|unlink|mkdir|rmdir)/.test(call));
    const seen = { before: 0, after: 0 };
    await forEach(chosen, async (place) => {
      using disk = new TestDisk(filesBefore);
      const where = `killed at ${place.call} ${place.index}`;
      expect(await applyWith(disk, place, 'signal=KILL'), where).toBeUndefined();
      await disk.changes().recover();
      const tree = disk.tree();
      const isDone = 'lib' in tree;
      expect(tree, where).toEqual(isDone ? treeAfter : treeBefore);
      seen[isDone ? 'after' : 'before'] += 1;
    });
    expect(Math.min(seen.before, seen.after)).toBeGreaterThan(2);
  });
});

// Other users and file systems need root.
describe.runIf(process.getuid?.() === 0)(`${cites('T19')} nothing is changed`, () => {
  let changer: Changer;
  beforeAll(() => {
    changer = new Changer();
  });
  afterAll(() => changer[Symbol.dispose]());

  test.each<[string, string, (disk: TestDisk) => void]>([
    ['in a folder that may not be written', 'a.ts', (disk) => chmodSync(disk.workspace, 0o555)],
    [
      'in a file that may not be written',
      'src/c.ts',
      (disk) => chmodSync(disk.at('src/c.ts'), 0o444),
    ],
    ['in a file that may not be read', 'src/c.ts', (disk) => chmodSync(disk.at('src/c.ts'), 0o200)],
    [
      'of the rest if a move is not permitted',
      'stays',
      (disk) => {
        mkdirSync(disk.at('fixed'), { mode: 0o755 });
        writeFileSync(disk.at('fixed/stays'), 'x');
        chmodSync(disk.at('fixed'), 0o555);
      },
    ],
  ])('%s', async (_, file, forbid) => {
    using disk = new TestDisk(filesBefore);
    forbid(disk);
    const moves =
      file === 'stays' ? [...bigChange.moves, { from: 'fixed/stays', to: 'x' }] : bigChange.moves;
    const before = disk.tree();
    for (const folder of [path.dirname(changer.file), disk.ground]) chmodSync(folder, 0o755);
    mkdirSync(disk.folder, { recursive: true });
    for (const owned of [
      disk.workspace,
      disk.folder,
      ...Object.keys(before).map((name) => disk.at(name)),
    ]) {
      chownSync(owned, 65534, 65534);
    }
    const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
    const acts = [applyAct({ ...bigChange, moves })];
    const [answer] = await changer.run(disk, acts, { command: asNobody });
    expect(answer?.failed).toMatchObject({
      code: 'change_failed',
      message: expect.stringMatching(/there is no permission \(EACCES\); nothing was changed\.$/),
    });
    expect(answer?.failed?.message).toContain(file);
    expect(disk.tree()).toEqual(before);
    expect(disk.stages()).toEqual([]);
  });

  test('while there is no room, and it is when there is', async () => {
    await using disk = await SmallDisk.mount({ kilobytes: 512 });
    const before = 'x'.repeat(20_000);
    const after = 'y'.repeat(30_000);
    for (const file of ['a', 'b']) writeFileSync(path.join(disk.seen.workspace, file), before);
    const act = applyAct(change([write('a', before, after), write('b', before, after)]));
    const outcomes: string[] = [];
    for (let room = 0; outcomes.at(-1) !== 'ok' && room < 400; room += 24) {
      disk.fill(room);
      const [answer] = await changer.run(disk, [act], { command: disk.command });
      const tree = treeOf(disk.seen.workspace);
      outcomes.push(answer?.failed?.code ?? 'ok');
      if (answer?.ok) expect(tree).toEqual({ a: after, b: after });
      else {
        expect(answer?.failed?.message).toContain(
          'no room on the disk (ENOSPC); nothing was changed',
        );
        expect(tree).toEqual({ a: before, b: before });
      }
    }
    expect(outcomes.length).toBeGreaterThan(4);
    expect(new Set(outcomes)).toEqual(new Set(['change_failed', 'ok']));
  });

  test('on a file system that is read-only', async () => {
    await using disk = await SmallDisk.mount({ kilobytes: 512 });
    writeFileSync(path.join(disk.seen.workspace, 'a'), 'a');
    disk.remount('ro');
    const acts = [applyAct(change([write('a', 'a', 'A')]))];
    const elsewhere = { workspace: disk.workspace, folder: path.join(disk.workspace, '../state') };
    const [answer] = await changer.run(elsewhere, acts, { command: disk.command });
    expect(answer?.failed?.message).toContain('read-only (EROFS); ');
    expect(treeOf(disk.seen.workspace)).toEqual({ a: 'a' });
    disk.remount('rw');
    const [again] = await changer.run(elsewhere, acts, { command: disk.command });
    expect(again).toHaveProperty('ok');
  });
});
