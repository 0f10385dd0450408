import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  addWorktree,
  commitAll,
  resolveCommit,
  snapshotWorktree,
  startMerge,
  worktreeChanges,
} from '../src/index.ts';
import { type Files, type Sandbox, sandbox } from './sandbox.ts';

async function prepared(box: Sandbox, files?: Files) {
  const repo = await box.repository(files);
  const start = await resolveCommit(repo, 'HEAD', box.call);
  const worktree = await addWorktree(repo, { path: box.at('w'), commit: start }, box.call);
  const commit = (message = 'done', except: readonly string[] = []) =>
    commitAll(worktree, { start, message, except }, repo, box.call);
  return { repo, start, worktree, commit };
}

const odd = [' b', '-c', '"d"', "it's", '🦊', 'e\nf', ':(top)g', 'é/*'];

describe('everything is committed', () => {
  test('whatever it is called, once', async () => {
    using box = sandbox();
    const { start, worktree, commit } = await prepared(box, { 'a.txt': '1', 'gone.txt': '1' });
    rmSync(path.join(worktree.path, 'gone.txt'));
    box.write(worktree.path, {
      'a.txt': '2',
      ...Object.fromEntries(odd.map((name) => [name, 'x'])),
    });
    const first = await commit('# A "message"\n\n  with $(touch C) 🦊\n\n\n');
    expect(first).toEqual({
      commit: box.git(worktree.path, 'rev-parse', 'HEAD'),
      isRewritten: false,
    });
    expect(box.git(worktree.path, 'rev-parse', 'HEAD^')).toBe(start);
    const names = box.git(worktree.path, 'ls-tree', '-r', '-z', '--name-only', 'HEAD').split('\0');
    expect(names.filter(Boolean).sort()).toEqual(['a.txt', ...odd].sort());
    expect(box.git(worktree.path, 'log', '-1', '--format=%an|%B')).toBe(
      'Ada|# A "message"\n\n  with $(touch C) 🦊\n\n\n',
    );
    expect(await commit('again')).toEqual(first);
  });

  test('unless nothing has changed', async () => {
    using box = sandbox();
    const { start, commit } = await prepared(box);
    expect(await commit()).toEqual({ commit: start, isRewritten: false });
  });

  test('except what is named, and what is ignored', async () => {
    using box = sandbox();
    const { worktree, commit } = await prepared(box, { '.gitignore': 'ignored\n', kept: '1' });
    box.write(worktree.path, { 'deps/x': '1', '*': '1', ignored: '1', kept: '2', 'new.txt': '1' });
    symlinkSync(box.home, path.join(worktree.path, 'linked'));
    await commit('x', ['deps', '*', 'ignored', 'linked', 'kept', 'nowhere', 'ignored/below', '']);
    const changed = box.git(worktree.path, 'diff', '--name-only', 'HEAD^', 'HEAD');
    expect(changed).toBe('new.txt');
    const { commit: same } = await commit('x', ['deps', '*', 'ignored', 'linked', 'kept']);
    expect(same).toBe(box.git(worktree.path, 'rev-parse', 'HEAD'));
  });

  test('by somebody, also where git does not know the user', async () => {
    using box = sandbox('[user]\n\tuseConfigOnly = true\n');
    const { worktree, commit } = await prepared(box);
    box.write(worktree.path, { new: '1' });
    await commit();
    expect(box.git(worktree.path, 'log', '-1', '--format=%an <%ae> %cn')).toBe(
      'Baton <baton@localhost> Baton',
    );
  });

  test('with its message, also if nobody is left who could tell it', async () => {
    using box = sandbox();
    const { repo, start, worktree } = await prepared(box);
    box.write(worktree.path, { new: '1' });
    // As if whoever started git were killed in the moment after.
    const { env } = box.call;
    const lines = ['#!/bin/sh', `PATH='${env['PATH']}'`, 'exec git "$@" < /dev/null'];
    box.write(box.path, { 'bin/git': `${lines.join('\n')}\n` });
    chmodSync(box.at('bin/git'), 0o755);
    const call = { env: { ...env, PATH: `${box.at('bin')}:${env['PATH']}` } };
    await commitAll(worktree, { start, message: 'All of it\n\nYes: 1\n', except: [] }, repo, call);
    expect(box.git(worktree.path, 'log', '-1', '--format=%B')).toBe('All of it\n\nYes: 1\n');
  });

  test('where a job has committed itself, on a branch, or has rewritten what there was', async () => {
    using box = sandbox();
    const { worktree, commit } = await prepared(box);
    const own = box.commit(worktree.path, { own: '1' });
    expect(await commit()).toEqual({ commit: own, isRewritten: false });
    box.git(worktree.path, 'checkout', '-q', '-b', 'side');
    box.write(worktree.path, { more: '1' });
    const onBranch = await commit();
    expect(onBranch.isRewritten).toBe(false);
    expect(box.git(worktree.path, 'rev-parse', 'side')).toBe(onBranch.commit);
    box.git(worktree.path, 'checkout', '-q', '--orphan', 'other');
    expect(await commit()).toMatchObject({ isRewritten: true });
  });

  test('where the .git file was replaced', async () => {
    using box = sandbox();
    const { repo, start, worktree, commit } = await prepared(box);
    rmSync(path.join(worktree.path, '.git'));
    box.git(worktree.path, 'init', '-q');
    box.write(worktree.path, { new: '1' });
    const committed = await commit();
    expect(box.git(repo.root, 'diff', '--name-only', start, committed.commit)).toBe('new');
  });
});

describe('repositories within it', () => {
  test('are refused, also the next time, until they are gone', async () => {
    using box = sandbox('[advice]\n\taddEmbeddedRepo = false\n');
    const { start, worktree, commit } = await prepared(box);
    const nested = path.join(worktree.path, 'a "b"', '-nested');
    mkdirSync(nested, { recursive: true });
    box.git(nested, 'init', '-q');
    const refusal = { code: 'nested_repository', message: expect.stringContaining('-nested') };
    box.write(nested, { x: '1' });
    await expect(commit()).rejects.toMatchObject(refusal);
    box.commit(nested, { x: '1' });
    await expect(commit()).rejects.toMatchObject(refusal);
    await expect(commit()).rejects.toMatchObject(refusal);
    expect(box.git(worktree.path, 'rev-parse', 'HEAD')).toBe(start);
    rmSync(path.join(nested, '.git'), { recursive: true });
    await commit();
    expect(box.git(worktree.path, 'ls-files')).toContain('-nested/x');
  });

  test('stay if they are submodules', async () => {
    using box = sandbox();
    const inner = await box.repository({}, 'inner');
    const outer = await box.repository({}, 'outer');
    const allow = ['-c', 'protocol.file.allow=always'];
    box.git(outer.root, ...allow, 'submodule', 'add', '-q', inner.root, 'sub');
    const start = box.commit(outer.root, { x: '1' });
    const worktree = await addWorktree(outer, { path: box.at('w'), commit: start }, box.call);
    const link = box.git(outer.root, 'ls-tree', 'HEAD', 'sub');
    box.write(worktree.path, { 'new.txt': '1' });
    const options = { start, message: 'x', except: [] };
    const { commit } = await commitAll(worktree, options, outer, box.call);
    expect(box.git(outer.root, 'ls-tree', commit, 'sub')).toBe(link);
    // One more, as a job would add it.
    box.git(worktree.path, ...allow, 'submodule', 'add', '-q', inner.root, 'more');
    const next = await commitAll(worktree, options, outer, box.call);
    expect(box.git(outer.root, 'ls-tree', next.commit, 'more')).toContain('160000 commit');
  });
});

describe('conflicts of a merge', () => {
  async function merging(box: Sandbox) {
    const repo = await box.repository({ 'a.txt': 'one\n', 'b.txt': 'one\n', bin: 'a\0b' });
    const base = await resolveCommit(repo, 'HEAD', box.call);
    const theirs = box.commit(repo.root, { 'a.txt': 'theirs\n', 'b.txt': 'theirs\n', bin: 'a\0t' });
    box.git(repo.root, 'checkout', '-q', base);
    rmSync(path.join(repo.root, 'b.txt'));
    const start = box.commit(repo.root, { 'a.txt': 'ours\n', bin: 'a\0o' });
    const worktree = await addWorktree(repo, { path: box.at('w'), commit: start }, box.call);
    await startMerge(worktree, theirs, box.call);
    const commit = () =>
      commitAll(worktree, { start, message: 'merged', except: [] }, repo, box.call);
    return { worktree, start, theirs, commit };
  }

  const unresolved = (...files: readonly string[]) => ({
    code: 'merge_unresolved',
    message: expect.stringContaining(`: ${files.join(', ')}.`),
  });

  test('are not committed until somebody has resolved each', async () => {
    using box = sandbox();
    const { worktree, start, theirs, commit } = await merging(box);
    await expect(commit()).rejects.toMatchObject(unresolved('a.txt', 'b.txt', 'bin'));
    // Staged with its markers in it.
    box.git(worktree.path, 'add', 'a.txt', 'bin');
    await expect(commit()).rejects.toMatchObject(unresolved('a.txt', 'b.txt'));
    box.write(worktree.path, { 'a.txt': 'both\n' });
    await expect(commit()).rejects.toMatchObject(unresolved('b.txt'));
    rmSync(path.join(worktree.path, 'b.txt'));
    expect(await commit()).toMatchObject({ isRewritten: false });
    expect(box.git(worktree.path, 'log', '-1', '--format=%P')).toBe(`${start} ${theirs}`);
    expect(await commit()).toEqual(await commit());
  });

  test('are resolved by an edit alone', async () => {
    using box = sandbox();
    const { worktree, commit } = await merging(box);
    box.write(worktree.path, { 'a.txt': 'both\n' });
    box.git(worktree.path, 'add', 'bin', 'b.txt');
    await commit();
    expect(box.git(worktree.path, 'show', 'HEAD:a.txt')).toBe('both');
  });
});

test("the user's own filters run when a worktree is made and committed", async () => {
  using box = sandbox(
    '[user]\n\tname = A\n\temail = a@b\n[filter "up"]\n\tclean = tr a-z A-Z\n\tsmudge = tr A-Z a-z\n\trequired = true\n',
  );
  const { worktree, commit } = await prepared(box, {
    '.gitattributes': '*.txt filter=up\n',
    'a.txt': 'abc\n',
  });
  expect(box.git(worktree.path, 'show', 'HEAD:a.txt')).toBe('ABC');
  expect(readFileSync(path.join(worktree.path, 'a.txt'), 'utf8')).toBe('abc\n');
  box.write(worktree.path, { 'b.txt': 'new\n' });
  await commit();
  expect(box.git(worktree.path, 'show', 'HEAD:b.txt')).toBe('NEW');
});

test('a snapshot and a list of changes leave the worktree as it is', async () => {
  using box = sandbox();
  const { repo, start, worktree } = await prepared(box, {
    'a.txt': '1',
    'gone.txt': '1',
    '.gitignore': 'ignored\n',
  });
  expect(await worktreeChanges(worktree, start, box.call)).toEqual([]);
  box.commit(worktree.path, { 'own.txt': '1' });
  rmSync(path.join(worktree.path, 'gone.txt'));
  box.write(worktree.path, { 'a.txt': '2', 'é "new"\n/x': '1', ignored: '1', 'staged.txt': '1' });
  box.git(worktree.path, 'add', 'staged.txt');
  const before = readFileSync(path.join(worktree.gitDir, 'index'));
  const status = box.git(worktree.path, '--no-optional-locks', 'status', '--porcelain');
  const expected = ['a.txt', 'gone.txt', 'own.txt', 'staged.txt', 'é "new"\n/x'];
  expect(await worktreeChanges(worktree, start, box.call)).toEqual(expected);
  const snapshot = await snapshotWorktree(worktree, start, box.call);
  const names = box
    .git(repo.root, 'diff', '-z', '--name-only', '--no-renames', start, snapshot)
    .split('\0');
  expect(names.slice(0, -1).sort()).toEqual(expected);
  expect(box.git(repo.root, 'log', '-1', '--format=%P', snapshot)).toBe(start);
  expect(readFileSync(path.join(worktree.gitDir, 'index'))).toEqual(before);
  expect(box.git(worktree.path, '--no-optional-locks', 'status', '--porcelain')).toBe(status);
  expect(box.git(worktree.path, 'ls-files', '-o')).not.toContain('baton');
  writeFileSync(path.join(worktree.path, 'a.txt'), '3');
  expect(await snapshotWorktree(worktree, start, box.call)).not.toBe(snapshot);
});
