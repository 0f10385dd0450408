import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { changedPaths, diffPatch, diffStat } from '../src/index.ts';
import { sandbox } from './sandbox.ts';

// What a person may like to see must not change what is read.
const TASTE =
  '[user]\n\tname = A\n\temail = a@b\n[color]\n\tui = always\n[diff]\n\tnoprefix = true\n\trenames = false\n';

test('differences are counted, named and shown', async () => {
  using box = sandbox(TASTE);
  const lines = '1\n2\n3\n4\n5\n6\n7\n8\n';
  const repo = await box.repository({
    'a "b".txt': '1\n2\n',
    'old\tname': lines,
    bin: 'a\0',
    gone: 'gone\n',
  });
  const from = box.git(repo.root, 'rev-parse', 'HEAD');
  renameSync(path.join(repo.root, 'old\tname'), path.join(repo.root, 'new\tname'));
  rmSync(path.join(repo.root, 'gone'));
  const to = box.commit(repo.root, {
    'a "b".txt': '1\nzwei\ndrei\n',
    'new\tname': `${lines}9\n`,
    bin: 'b\0',
    '-é/🦊': 'x\n',
    '*': 'star\n',
  });
  const stat = await diffStat(repo, from, to, box.call);
  expect(stat).toMatchObject({ files: 6, insertions: 5, deletions: 2 });
  expect(Object.fromEntries(stat.paths.map((each) => [each.path, each.insertions]))).toEqual({
    '*': 1,
    '-é/🦊': 1,
    'a "b".txt': 2,
    bin: undefined,
    gone: 0,
    'new\tname': 1,
  });
  expect(await changedPaths(repo, from, to, box.call)).toEqual(
    ['*', '-é/🦊', 'a "b".txt', 'bin', 'gone', 'new\tname', 'old\tname'].sort(),
  );
  const patch = await diffPatch(repo, from, to, { paths: ['*', ':(top)gone'] }, box.call);
  expect(patch).toMatch(/^diff --git a\/\* b\/\*\nnew file mode 100644\n/);
  expect(patch).toContain('+star');
  expect(patch.match(/^diff --git/gm)).toHaveLength(1);
  expect(await diffPatch(repo, from, to, {}, box.call)).toContain('rename to "new\\tname"');
  expect(await diffStat(repo, to, to, box.call)).toEqual({
    files: 0,
    insertions: 0,
    deletions: 0,
    paths: [],
  });
});

test('a difference that is too large is a named error', async () => {
  using box = sandbox();
  const repo = await box.repository();
  const from = box.git(repo.root, 'rev-parse', 'HEAD');
  const to = box.commit(repo.root, { large: `${'x'.repeat(1000)}\n`.repeat(9000) });
  await expect(diffPatch(repo, from, to, {}, box.call)).rejects.toMatchObject({
    code: 'diff_too_large',
  });
  expect(await diffStat(repo, from, to, box.call)).toMatchObject({ insertions: 9000 });
});
