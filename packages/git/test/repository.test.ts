import { chownSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  defaultBranches,
  findRepository,
  gitVersion,
  independent,
  isAncestor,
  isDefaultBranch,
  resolveCommit,
} from '../src/index.ts';
import { sandbox } from './sandbox.ts';

describe('a repository is found', () => {
  test.each(['plain', 'with space', `quo"te's`, '🦊', '-dash'])('in a folder %s', async (name) => {
    using box = sandbox();
    const repo = await box.repository({ 'a b/-c': 'x' }, name);
    expect(repo).toEqual({ root: box.at(name), gitDir: box.at(name, '.git') });
    expect(await findRepository(box.at(name, 'a b'), box.call)).toEqual(repo);
  });

  test('through a link, and in a linked worktree', async () => {
    using box = sandbox();
    const repo = await box.repository();
    symlinkSync(repo.root, box.at('link'));
    expect(await findRepository(box.at('link'), box.call)).toEqual(repo);
    box.git(repo.root, 'worktree', 'add', '-q', '--detach', box.at('linked'));
    expect(await findRepository(box.at('linked'), box.call)).toEqual({
      root: box.at('linked'),
      gitDir: repo.gitDir,
    });
  });

  test('in a submodule', async () => {
    using box = sandbox();
    const inner = await box.repository({}, 'inner');
    const outer = await box.repository({}, 'outer');
    box.git(outer.root, '-c', 'protocol.file.allow=always', 'submodule', 'add', inner.root, 'sub');
    expect(await findRepository(box.at('outer/sub'), box.call)).toEqual({
      root: box.at('outer/sub'),
      gitDir: box.at('outer/.git/modules/sub'),
    });
  });
});

describe('no repository is found', () => {
  const missing = (message: RegExp | string) => ({
    code: 'repository_missing',
    message: expect.stringMatching(message),
  });

  test('where there is none, or no folder', async () => {
    using box = sandbox();
    await expect(findRepository(box.path, box.call)).rejects.toMatchObject(missing(box.path));
    await expect(findRepository(box.at('nowhere'), box.call)).rejects.toMatchObject(
      missing('nowhere'),
    );
    await expect(findRepository(box.at('a\0b'), box.call)).rejects.toMatchObject(missing('folder'));
  });

  test('in a bare one, in a git folder, and where it claims files elsewhere', async () => {
    using box = sandbox();
    box.git(box.path, 'init', '-q', '--bare', 'bare');
    await expect(findRepository(box.at('bare'), box.call)).rejects.toMatchObject(missing('bare'));
    const repo = await box.repository();
    await expect(findRepository(repo.gitDir, box.call)).rejects.toMatchObject(
      missing('git folder'),
    );
    mkdirSync(box.at('elsewhere'));
    box.git(repo.root, 'config', 'core.worktree', box.at('elsewhere'));
    await expect(findRepository(repo.root, box.call)).rejects.toMatchObject(missing('elsewhere'));
  });

  test.runIf(process.getuid?.() === 0)('where it belongs to another user', async () => {
    using box = sandbox();
    const repo = await box.repository();
    chownSync(repo.root, 12345, 12345);
    chownSync(repo.gitDir, 12345, 12345);
    await expect(findRepository(repo.root, box.call)).rejects.toMatchObject({
      ...missing('another user'),
      next: expect.stringContaining(`safe.directory ${repo.root}`),
    });
  });

  test('by variables that lead git to another one', async () => {
    using box = sandbox();
    const repo = await box.repository();
    const env = { ...box.call.env, GIT_DIR: repo.gitDir, GIT_WORK_TREE: box.path };
    await expect(findRepository(box.path, { env })).rejects.toMatchObject(missing('no git'));
  });
});

describe('git itself', () => {
  test('has a version', async () => {
    using box = sandbox();
    expect(await gitVersion(box.call)).toMatch(/^\d+\.\d+/);
  });

  test('may be missing', async () => {
    using box = sandbox();
    const call = { env: { ...box.call.env, PATH: box.home } };
    await expect(findRepository(box.path, call)).rejects.toMatchObject({ code: 'git_missing' });
  });

  test.skipIf(process.platform === 'win32')('may be too old', async () => {
    using box = sandbox();
    writeFileSync(box.at('home/git'), '#!/bin/sh\necho git version 2.37.9\n', { mode: 0o755 });
    const call = { env: { ...box.call.env, PATH: `${box.home}:/bin` } };
    await expect(findRepository(box.path, call)).rejects.toMatchObject({
      code: 'git_too_old',
      message: expect.stringContaining('2.37.9'),
    });
  });

  test('ends when the call does, with its reason', async () => {
    using box = sandbox();
    const repo = await box.repository();
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    await expect(resolveCommit(repo, 'HEAD', { ...box.call, signal })).rejects.toBe(reason);
  });
});

describe('a name is resolved', () => {
  test('to a full hash', async () => {
    using box = sandbox();
    const repo = await box.repository();
    const hash = box.git(repo.root, 'rev-parse', 'HEAD');
    box.git(repo.root, 'tag', '-a', 'v1', '-m', 'one');
    box.git(repo.root, 'checkout', '-q', '--detach');
    for (const name of ['HEAD', 'main', 'v1', hash, hash.slice(0, 8), '@']) {
      expect(await resolveCommit(repo, name, box.call)).toBe(hash);
    }
  });

  test('or refused', async () => {
    using box = sandbox();
    const repo = await box.repository();
    const tree = box.git(repo.root, 'rev-parse', 'HEAD^{tree}');
    for (const name of ['nope', 'f'.repeat(40), tree]) {
      await expect(resolveCommit(repo, name, box.call)).rejects.toMatchObject({
        code: 'revision_unknown',
      });
    }
  });

  test('unless the branch has no commit yet', async () => {
    using box = sandbox();
    box.git(box.path, 'init', '-q', 'empty');
    const repo = await findRepository(box.at('empty'), box.call);
    await expect(resolveCommit(repo, 'HEAD', box.call)).rejects.toMatchObject({
      code: 'repository_empty',
    });
  });

  test('in a shallow clone too', async () => {
    using box = sandbox();
    const origin = await box.repository();
    const second = box.commit(origin.root, { 'a.txt': 'two' });
    box.git(box.path, 'clone', '-q', '--depth', '1', `file://${origin.root}`, 'shallow');
    const repo = await findRepository(box.at('shallow'), box.call);
    expect(await resolveCommit(repo, 'origin/main', box.call)).toBe(second);
    expect(await isAncestor(repo, second, second, box.call)).toBe(true);
  });
});

test('commits that others contain are left out', async () => {
  using box = sandbox();
  const repo = await box.repository();
  const base = box.git(repo.root, 'rev-parse', 'HEAD');
  const left = box.commit(repo.root, { left: '1' });
  box.git(repo.root, 'checkout', '-q', base);
  const right = box.commit(repo.root, { right: '1' });
  expect(await independent(repo, [right, base, left, right], box.call)).toEqual([right, left]);
  expect(await independent(repo, [base, base], box.call)).toEqual([base]);
  expect(await independent(repo, [], box.call)).toEqual([]);
  expect(await isAncestor(repo, base, left, box.call)).toBe(true);
  expect(await isAncestor(repo, left, right, box.call)).toBe(false);
});

describe('branches count as default', () => {
  test('that remotes have checked out', async () => {
    using box = sandbox();
    const origin = await box.repository({}, 'origin');
    box.git(origin.root, 'branch', '-m', 'rel/trunk');
    box.git(box.path, 'clone', '-q', origin.root, 'clone');
    const repo = await findRepository(realpathSync(box.at('clone')), box.call);
    expect(await defaultBranches(repo, box.call)).toEqual(['rel/trunk']);
  });

  test('else that are set, else that are usual', async () => {
    using box = sandbox('[user]\n\tname = a\n\temail = a@b\n');
    const repo = await box.repository();
    expect(await defaultBranches(repo, box.call)).toEqual(['main', 'master']);
    writeFileSync(path.join(box.home, '.gitconfig'), '[init]\n\tdefaultBranch = trunk\n');
    expect(await defaultBranches(repo, box.call)).toEqual(['main', 'master', 'trunk']);
    box.git(repo.root, 'branch', 'trunk/other');
    expect(await defaultBranches(repo, box.call)).toEqual(['main', 'master', 'trunk']);
    box.git(repo.root, 'branch', '-m', 'trunk/other', 'trunk');
    expect(await defaultBranches(repo, box.call)).toEqual(['trunk']);
  });

  test('by every name that leads to one', async () => {
    using box = sandbox();
    const repo = await box.repository();
    box.git(repo.root, 'symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    box.git(repo.root, 'symbolic-ref', 'refs/heads/far', 'refs/heads/alias');
    box.git(repo.root, 'branch', 'next');
    const names = ['main', 'alias', 'far', 'MAIN', 'next', 'main2', 'x/main', 'absent'];
    const found = [];
    for (const name of names) if (await isDefaultBranch(repo, name, box.call)) found.push(name);
    expect(found).toEqual(['main', 'alias', 'far', 'MAIN']);
  });
});
