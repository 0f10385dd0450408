import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  addWorktree,
  mergeCommits,
  predictConflicts,
  type Repository,
  startMerge,
} from '../src/index.ts';
import { type Files, type Sandbox, sandbox } from './sandbox.ts';

type Edit = Files | ((root: string) => void);

async function sides(box: Sandbox, base: Files, ours: Edit, theirs: Edit) {
  const repo = await box.repository(base);
  const start = box.git(repo.root, 'rev-parse', 'HEAD');
  const commitOf = (edit: Edit) => {
    box.git(repo.root, 'checkout', '-q', '--detach', start);
    if (typeof edit === 'function') edit(repo.root);
    return box.commit(repo.root, typeof edit === 'function' ? {} : edit);
  };
  return { repo, start, ours: commitOf(ours), theirs: commitOf(theirs) };
}

const merge = (box: Sandbox, repo: Repository, ours: string, theirs: string) =>
  mergeCommits(
    repo,
    { ours, theirs, message: 'Merge "both"\n', ourLabel: 'plan', theirLabel: 'job $& b' },
    box.call,
  );

const LINES = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';

describe('two commits', () => {
  test('become one that contains both', async () => {
    using box = sandbox();
    const { repo, ours, theirs } = await sides(
      box,
      { a: LINES },
      { 'o "1"': '1' },
      { a: `${LINES}10\n` },
    );
    const merged = await merge(box, repo, ours, theirs);
    if (merged.kind !== 'merged') throw new Error(merged.kind);
    expect(box.git(repo.root, 'log', '-1', '--format=%P %an %B', merged.commit)).toBe(
      `${ours} ${theirs} Ada Merge "both"\n`,
    );
    expect(box.git(repo.root, 'ls-tree', '--name-only', '-z', merged.commit)).toBe('a\0o "1"\0');
    expect(await predictConflicts(repo, ours, theirs, box.call)).toEqual([]);
  });

  test('are the same if one contains the other', async () => {
    using box = sandbox();
    const { repo, start, ours } = await sides(box, { a: '1' }, { b: '1' }, { c: '1' });
    const same = { kind: 'same', commit: ours };
    expect(await merge(box, repo, ours, start)).toEqual(same);
    expect(await merge(box, repo, start, ours)).toEqual(same);
    expect(await merge(box, repo, ours, ours)).toEqual(same);
    expect(await predictConflicts(repo, ours, ours, box.call)).toEqual([]);
  });

  test('may have made the same change, or have nothing in common', async () => {
    using box = sandbox();
    const { repo, ours, theirs } = await sides(box, { a: '1' }, { b: '1' }, (root) => {
      box.commit(root, { b: '1' }, 'otherwise');
    });
    expect(await merge(box, repo, ours, theirs)).toMatchObject({ kind: 'merged' });
    box.git(repo.root, 'checkout', '-q', '--orphan', 'other');
    box.git(repo.root, 'rm', '-q', '-rf', '.');
    const stranger = box.commit(repo.root, { z: '1' });
    expect(await merge(box, repo, ours, stranger)).toMatchObject({ kind: 'merged' });
  });

  test('are merged by somebody, also where git does not know the user', async () => {
    using box = sandbox('[user]\n\tuseConfigOnly = true\n');
    const { repo, ours, theirs } = await sides(box, { a: '1' }, { b: '1' }, { c: '1' });
    const merged = await merge(box, repo, ours, theirs);
    if (merged.kind !== 'merged') throw new Error(merged.kind);
    expect(box.git(repo.root, 'log', '-1', '--format=%an', merged.commit)).toBe('Baton');
  });
});

describe('a conflict', () => {
  const cases: readonly (readonly [string, Files, Edit, Edit, Readonly<Record<string, string>>])[] =
    [
      [
        'content',
        { '-a "é"\n': '1\n' },
        { '-a "é"\n': '2\n' },
        { '-a "é"\n': '3\n' },
        { '-a "é"\n': 'content' },
      ],
      ['add/add', { x: '1' }, { a: '2\n' }, { a: '3\n' }, { a: 'add/add' }],
      ['binary', { a: '\0a' }, { a: '\0b' }, { a: '\0c' }, { a: 'binary' }],
      [
        'modify/delete',
        { a: LINES, b: '1' },
        (root) => rmSync(path.join(root, 'a')),
        { a: `${LINES}x\n` },
        { a: 'modify/delete' },
      ],
      [
        'rename/rename',
        { a: LINES },
        (root) => renameSync(path.join(root, 'a'), path.join(root, 'b')),
        (root) => renameSync(path.join(root, 'a'), path.join(root, 'c')),
        { a: 'rename/rename', b: 'rename/rename', c: 'rename/rename' },
      ],
      [
        'rename/delete',
        { a: LINES, x: '1' },
        (root) => renameSync(path.join(root, 'a'), path.join(root, 'b')),
        (root) => rmSync(path.join(root, 'a')),
        { b: 'rename/delete' },
      ],
    ];

  test.each(cases)('is told: %s', async (_kind, base, ours, theirs, expected) => {
    using box = sandbox();
    const prepared = await sides(box, base, ours, theirs);
    const merged = await merge(box, prepared.repo, prepared.ours, prepared.theirs);
    if (merged.kind !== 'conflict') throw new Error(merged.kind);
    const kinds = Object.fromEntries(merged.conflicts.map(({ path: file, kind }) => [file, kind]));
    expect(kinds).toEqual(expected);
    expect(await predictConflicts(prepared.repo, prepared.ours, prepared.theirs, box.call)).toEqual(
      Object.keys(expected),
    );
  });

  test('is shown with its lines and names', async () => {
    using box = sandbox();
    const { repo, ours, theirs } = await sides(
      box,
      { 'a b': LINES },
      { 'a b': LINES.replace('3', 'ours') },
      { 'a b': LINES.replace('3', 'theirs') },
    );
    expect(await merge(box, repo, ours, theirs)).toEqual({
      kind: 'conflict',
      conflicts: [
        {
          path: 'a b',
          kind: 'content',
          hunks: [{ line: 3, text: '<<<<<<< plan\nours\n=======\ntheirs\n>>>>>>> job $& b' }],
        },
      ],
    });
  });

  test('is cut where it is long, and has no lines where it is no text', async () => {
    using box = sandbox();
    const numbers = Array.from({ length: 200 }, (_, at) => at);
    const text = (mark: string) =>
      numbers.map((at) => (at % 20 === 0 ? `${mark}${at}\n` : `${at}\n`)).join('');
    const long = (mark: string) => numbers.map((at) => `${mark}${at}\n`).join('');
    const latin = (mark: string) => Buffer.from(`\xe9${mark}\n`, 'latin1');
    const files = (mark: string): Files => ({
      many: text(mark),
      long: long(mark),
      latin: latin(mark),
      large: `${mark}\n${'x'.repeat(2 ** 20)}`,
    });
    const { repo, ours, theirs } = await sides(box, files('b'), files('o'), files('t'));
    const merged = await merge(box, repo, ours, theirs);
    if (merged.kind !== 'conflict') throw new Error(merged.kind);
    const hunks = Object.fromEntries(merged.conflicts.map((each) => [each.path, each.hunks]));
    expect(hunks['many']).toHaveLength(5);
    expect(hunks['long']?.map(({ text: each }) => each.split('\n').length)).toEqual([40]);
    expect(hunks['latin']).toEqual([]);
    expect(hunks['large']).toEqual([]);
  });
});

describe('a merge is left to somebody', () => {
  test('with markers in the files', async () => {
    using box = sandbox();
    const { repo, ours, theirs } = await sides(box, { a: '1\n' }, { a: '2\n' }, { a: '3\n' });
    const worktree = await addWorktree(repo, { path: box.at('w'), commit: ours }, box.call);
    await startMerge(worktree, theirs, box.call);
    expect(readFileSync(path.join(worktree.path, 'a'), 'utf8')).toContain('<<<<<<< ');
    expect(readFileSync(path.join(worktree.gitDir, 'MERGE_HEAD'), 'utf8').trim()).toBe(theirs);
    expect(box.git(worktree.path, 'rev-parse', 'HEAD')).toBe(ours);
  });

  test('also without conflicts; but not where it would overwrite something', async () => {
    using box = sandbox('[merge]\n\tautoStash = true\n');
    const { repo, ours, theirs } = await sides(box, { a: '1\n' }, { b: '2\n' }, { a: '3\n' });
    const worktree = await addWorktree(repo, { path: box.at('w'), commit: ours }, box.call);
    writeFileSync(path.join(worktree.path, 'a'), 'mine');
    await expect(startMerge(worktree, theirs, box.call)).rejects.toMatchObject({
      code: 'git_failed',
    });
    expect(readFileSync(path.join(worktree.path, 'a'), 'utf8')).toBe('mine');
    box.git(worktree.path, 'checkout', '-q', 'a');
    await startMerge(worktree, theirs, box.call);
    expect(existsSync(path.join(worktree.gitDir, 'MERGE_HEAD'))).toBe(true);
  });
});
