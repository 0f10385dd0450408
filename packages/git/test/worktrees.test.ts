import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  addWorktree,
  headOf,
  linkFolders,
  openWorktree,
  type Repository,
  removeWorktree,
  resolveCommit,
} from '../src/index.ts';
import { type Sandbox, sandbox } from './sandbox.ts';

async function prepared(box: Sandbox) {
  const repo = await box.repository({ 'a.txt': 'one\n', 'b c/-d "e" 🦊.txt': 'two\n' });
  return { repo, commit: await resolveCommit(repo, 'HEAD', box.call) };
}

const registered = (box: Sandbox, repo: Repository) =>
  box.git(repo.root, 'worktree', 'list', '--porcelain').match(/^worktree /gm)?.length;

describe('a worktree', () => {
  test.each(['w', 'with space/w', 'deep/-w', `w "it's" 🦊`])('is made at %s', async (name) => {
    using box = sandbox();
    const { repo, commit } = await prepared(box);
    const worktree = await addWorktree(repo, { path: box.at('jobs', name), commit }, box.call);
    expect(worktree.path).toBe(box.at('jobs', name));
    expect(path.dirname(worktree.gitDir)).toBe(path.join(repo.gitDir, 'worktrees'));
    expect(readFileSync(path.join(worktree.path, 'b c/-d "e" 🦊.txt'), 'utf8')).toBe('two\n');
    expect(openWorktree(worktree.path, repo)).toEqual(worktree);
    expect(await headOf(worktree, box.call)).toBe(commit);
    expect(box.git(worktree.path, 'status', '--porcelain')).toBe('');
    await removeWorktree(repo, worktree.path, box.call);
    expect(existsSync(worktree.path)).toBe(false);
    expect(openWorktree(worktree.path, repo)).toBeUndefined();
    expect(registered(box, repo)).toBe(1);
  });

  test('is not what its .git file says if that leads elsewhere', async () => {
    using box = sandbox();
    const { repo, commit } = await prepared(box);
    const other = await box.repository({ a: '1' }, 'other');
    const worktree = await addWorktree(repo, { path: box.at('w'), commit }, box.call);
    for (const elsewhere of [other.gitDir, repo.gitDir]) {
      box.write(worktree.path, { '.git': `gitdir: ${elsewhere}\n` });
      expect(openWorktree(worktree.path, repo)).toBeUndefined();
    }
    box.write(worktree.path, { '.git': `gitdir: ${worktree.gitDir}\n` });
    expect(openWorktree(worktree.path, repo)).toEqual(worktree);
  });

  test('has a head also when somebody has switched to a branch there', async () => {
    using box = sandbox();
    const { repo, commit } = await prepared(box);
    const worktree = await addWorktree(repo, { path: box.at('w'), commit }, box.call);
    box.git(worktree.path, 'checkout', '-q', '-b', 'side');
    const next = box.commit(worktree.path, { x: '1' });
    expect(await headOf(worktree, box.call)).toBe(next);
    box.git(worktree.path, 'checkout', '-q', '--orphan', 'unborn');
    await expect(headOf(worktree, box.call)).rejects.toMatchObject({ code: 'git_failed' });
  });

  test('is really where it was made, also through a link', async () => {
    using box = sandbox();
    const { repo, commit } = await prepared(box);
    mkdirSync(box.at('real'));
    symlinkSync(box.at('real'), box.at('link'));
    const worktree = await addWorktree(repo, { path: box.at('link/w'), commit }, box.call);
    expect(worktree.path).toBe(box.at('real/w'));
    await removeWorktree(repo, box.at('link/w'), box.call);
    expect(readdirSync(box.at('real'))).toEqual([]);
  });

  test('is made where the registration of one that is gone was left', async () => {
    using box = sandbox();
    const { repo, commit } = await prepared(box);
    const worktree = await addWorktree(repo, { path: box.at('w'), commit }, box.call);
    box.git(repo.root, 'worktree', 'lock', worktree.path);
    rmSync(worktree.path, { recursive: true });
    await addWorktree(repo, { path: box.at('w'), commit }, box.call);
    expect(registered(box, repo)).toBe(2);
  });
});

describe('no worktree is made', () => {
  test('where something is, which stays', async () => {
    using box = sandbox();
    const { repo, commit } = await prepared(box);
    box.write(box.path, { 'there/x': '1', file: '1' });
    mkdirSync(box.at('target'));
    symlinkSync(box.at('target'), box.at('link'));
    for (const name of ['there', 'file', 'link', 'repo', 'repo/.git/w', 'repo/..']) {
      await expect(
        addWorktree(repo, { path: box.at(name), commit }, box.call),
      ).rejects.toMatchObject({ code: 'worktree_invalid' });
    }
    await expect(addWorktree(repo, { path: 'w', commit }, box.call)).rejects.toMatchObject({
      code: 'worktree_invalid',
    });
    expect(readFileSync(box.at('there/x'), 'utf8')).toBe('1');
    expect(readdirSync(box.at('target'))).toEqual([]);
    expect(registered(box, repo)).toBe(1);
  });

  test('of a commit that is unknown; nothing is left', async () => {
    using box = sandbox();
    const { repo } = await prepared(box);
    const commit = 'f'.repeat(40);
    await expect(addWorktree(repo, { path: box.at('w'), commit }, box.call)).rejects.toMatchObject({
      code: 'git_failed',
      message: expect.stringMatching(/^git worktree add failed \(exit \d+\): /),
    });
    expect(existsSync(box.at('w'))).toBe(false);
    expect(existsSync(path.join(repo.gitDir, 'worktrees'))).toBe(false);
  });

  test('when a filter of the user fails half way; nothing is left', async () => {
    using box = sandbox('[filter "f"]\n\tsmudge = false\n\trequired = true\n');
    const repo = await box.repository({ 'a.txt': 'a', 'z.txt': 'z' });
    box.git(repo.root, 'config', 'core.attributesFile', box.at('attributes'));
    writeFileSync(box.at('attributes'), 'z.txt filter=f\n');
    const commit = await resolveCommit(repo, 'HEAD', box.call);
    await expect(addWorktree(repo, { path: box.at('w'), commit }, box.call)).rejects.toMatchObject({
      code: 'git_failed',
    });
    expect(existsSync(box.at('w'))).toBe(false);
    expect(registered(box, repo)).toBe(1);
  });
});

describe('a worktree is removed', () => {
  test('in whatever state it is, again and again', async () => {
    using box = sandbox();
    const { repo, commit } = await prepared(box);
    const spoils: Readonly<Record<string, (folder: string) => void>> = {
      dirty: (folder) => box.write(folder, { 'new/x': '1', 'a.txt': '2' }),
      locked: (folder) => box.git(repo.root, 'worktree', 'lock', folder),
      folderGone: (folder) => rmSync(folder, { recursive: true }),
      fileGone: (folder) => rmSync(path.join(folder, '.git')),
      ownRepository: (folder) => {
        rmSync(path.join(folder, '.git'));
        box.git(folder, 'init', '-q');
      },
      registrationGone: (folder) =>
        rmSync(path.join(repo.gitDir, 'worktrees', path.basename(folder)), { recursive: true }),
      registrationHalf: (folder) => {
        rmSync(folder, { recursive: true });
        const registration = path.join(repo.gitDir, 'worktrees', path.basename(folder));
        rmSync(path.join(registration, 'gitdir'));
        utimesSync(registration, 0, 0);
      },
      halfRemoved: (folder) => {
        renameSync(folder, `${folder}.removed`);
        rmSync(path.join(`${folder}.removed`, 'a.txt'));
      },
      removedBefore: (folder) => box.write(`${folder}.removed`, { 'old/x': '1' }),
      readOnly: (folder) => {
        box.write(folder, { 'cache/x': '1' });
        chmodSync(path.join(folder, 'cache'), 0o500);
      },
    };
    for (const [name, spoil] of Object.entries(spoils)) {
      const { path: folder } = await addWorktree(
        repo,
        { path: box.at('jobs', name), commit },
        box.call,
      );
      spoil(folder);
      await removeWorktree(repo, folder, box.call);
      await removeWorktree(repo, folder, box.call);
      expect([name, readdirSync(box.at('jobs')), registered(box, repo)]).toEqual([name, [], 1]);
      expect([name, existsSync(path.join(repo.gitDir, 'worktrees'))]).toEqual([name, false]);
    }
  });

  test('without following links', async () => {
    using box = sandbox();
    const { repo, commit } = await prepared(box);
    box.write(repo.root, { 'modules/x': '1' });
    box.write(box.path, { 'outside/x': '1' });
    const worktree = await addWorktree(repo, { path: box.at('w'), commit }, box.call);
    linkFolders(repo, worktree, ['modules']);
    symlinkSync(box.at('outside'), path.join(worktree.path, 'out'));
    await removeWorktree(repo, worktree.path, box.call);
    // A link in place of a worktree leads to another one.
    const other = await addWorktree(repo, { path: box.at('other'), commit }, box.call);
    symlinkSync(other.path, box.at('w'));
    await removeWorktree(repo, box.at('w'), box.call);
    expect(existsSync(box.at('w'))).toBe(false);
    expect(existsSync(path.join(other.path, 'a.txt'))).toBe(true);
    expect(existsSync(path.join(repo.root, 'modules/x'))).toBe(true);
    expect(existsSync(box.at('outside/x'))).toBe(true);
  });

  test('but never the repository itself', async () => {
    using box = sandbox();
    const { repo } = await prepared(box);
    for (const folder of [
      repo.root,
      box.path,
      repo.gitDir,
      path.join(repo.gitDir, 'objects'),
      '/',
    ]) {
      await expect(removeWorktree(repo, folder, box.call)).rejects.toMatchObject({
        code: 'worktree_invalid',
      });
    }
    expect(box.git(repo.root, 'status', '--porcelain')).toBe('');
  });
});

test('twenty at once are made and removed', async () => {
  using box = sandbox();
  const { repo, commit } = await prepared(box);
  const names = Array.from({ length: 20 }, (_, at) =>
    box.at('jobs', `${at % 4}`, `job ${at}`, 'w'),
  );
  const worktrees = await Promise.all(
    names.map((name) => addWorktree(repo, { path: name, commit }, box.call)),
  );
  expect(new Set(worktrees.map(({ gitDir }) => gitDir)).size).toBe(20);
  expect(registered(box, repo)).toBe(21);
  await Promise.all(names.map((name) => removeWorktree(repo, name, box.call)));
  expect(registered(box, repo)).toBe(1);
  expect(box.git(repo.root, 'fsck', '--full')).toBe('');
});

test('a call that ends while a worktree is made leaves nothing', async () => {
  using box = sandbox('[filter "slow"]\n\tsmudge = sleep 0.2 && cat\n\tclean = cat\n');
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}.txt`, `${at}`]));
  const repo = await box.repository({ ...files, '.gitattributes': '*.txt filter=slow\n' });
  const commit = await resolveCommit(repo, 'HEAD', box.call);
  const controller = new AbortController();
  const call = { ...box.call, signal: controller.signal };
  const adding = addWorktree(repo, { path: box.at('w'), commit }, call);
  const waiting = addWorktree(repo, { path: box.at('v'), commit }, call);
  const results = Promise.allSettled([adding, waiting]);
  await expect.poll(() => existsSync(box.at('w/0.txt')) || existsSync(box.at('w/.git'))).toBe(true);
  const reason = new Error('enough');
  controller.abort(reason);
  expect(await results).toEqual([
    { status: 'rejected', reason },
    { status: 'rejected', reason },
  ]);
  expect(existsSync(box.at('w'))).toBe(false);
  await removeWorktree(repo, box.at('w'), box.call);
  expect(registered(box, repo)).toBe(1);
  expect(readdirSync(repo.gitDir).filter((name) => name.endsWith('.lock'))).toEqual([]);
});
