import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Checkout, checkoutsOf, findRepository, forwardCheckout } from '../src/index.ts';
import { type Sandbox, sandbox } from './sandbox.ts';

const failing = (run: () => unknown) => {
  try {
    run();
  } catch {
    return;
  }
  throw new Error('It should have stopped.');
};

describe('a branch is checked out', () => {
  test('nowhere, here or elsewhere', async () => {
    using box = sandbox();
    const repo = await box.repository();
    const { gitDir } = repo;
    const here = { path: repo.root, gitDir, commonDir: gitDir, changes: [], isBusy: false };
    expect(await checkoutsOf(repo, 'main', box.call)).toEqual([here]);
    expect(await checkoutsOf(repo, 'side', box.call)).toEqual([]);
    box.git(repo.root, 'worktree', 'add', '-q', '-b', 'side', box.at('w "1"'));
    box.write(box.at('w "1"'), { 'new/x': '1', 'a.txt': '2', '-y': '1' });
    expect(await checkoutsOf(repo, 'side', box.call)).toMatchObject([
      { path: box.at('w "1"'), changes: ['a.txt'], isBusy: false },
    ]);
    const linked = await findRepository(box.at('w "1"'), box.call);
    expect(await checkoutsOf(linked, 'main', box.call)).toEqual([here]);
    rmSync(box.at('w "1"'), { recursive: true });
    expect(await checkoutsOf(repo, 'side', box.call)).toEqual([]);
  });

  test('with so many changes that some are enough', async () => {
    using box = sandbox('[status]\n\tshowUntrackedFiles = no\n');
    const repo = await box.repository();
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}`, '']));
    box.write(repo.root, files);
    box.git(repo.root, 'add', '-A');
    const [checkout] = await checkoutsOf(repo, 'main', box.call);
    expect(checkout?.changes).toHaveLength(20);
  });

  test('in a submodule', async () => {
    using box = sandbox();
    const inner = await box.repository({}, 'inner');
    const outer = await box.repository({}, 'outer');
    box.git(outer.root, '-c', 'protocol.file.allow=always', 'submodule', 'add', inner.root, 'sub');
    const repo = await findRepository(box.at('outer/sub'), box.call);
    expect(await checkoutsOf(repo, 'main', box.call)).toMatchObject([{ path: repo.root }]);
  });

  test('also while it is rebased, merged or bisected', async () => {
    using box = sandbox();
    const repo = await box.repository({ a: '1\n' });
    box.git(repo.root, 'branch', 'other');
    box.commit(repo.root, { a: '2\n' });
    box.git(repo.root, 'checkout', '-q', 'other');
    box.commit(repo.root, { a: '3\n' });
    const busy = { path: repo.root, isBusy: true };
    failing(() => box.git(repo.root, 'rebase', '-q', 'main'));
    expect(await checkoutsOf(repo, 'other', box.call)).toMatchObject([busy]);
    box.git(repo.root, 'rebase', '--abort');
    failing(() => box.git(repo.root, 'merge', 'main'));
    expect(await checkoutsOf(repo, 'other', box.call)).toMatchObject([busy]);
    box.git(repo.root, 'merge', '--abort');
    box.git(repo.root, 'bisect', 'start', 'other', 'other~1');
    expect(await checkoutsOf(repo, 'other', box.call)).toMatchObject([busy]);
  });
});

describe('a checkout goes forward', () => {
  async function prepared(box: Sandbox) {
    const repo = await box.repository({ 'a.txt': 'one\n', '.gitignore': '*.env\n', kept: '1' });
    const from = box.git(repo.root, 'rev-parse', 'HEAD');
    box.git(repo.root, 'checkout', '-q', '--detach');
    const to = box.commit(repo.root, { 'a.txt': 'two\n', 'new.txt': 'new\n' });
    box.git(repo.root, 'checkout', '-q', 'main');
    const read = (file: string) => readFileSync(path.join(repo.root, file), 'utf8');
    const forward = async (change: Partial<{ from: string; to: string; branch: string }> = {}) => {
      const { root, gitDir } = repo;
      const place = { path: root, gitDir, commonDir: gitDir };
      const checkout: Checkout = { ...place, changes: [], isBusy: false };
      return forwardCheckout(checkout, { branch: 'main', from, to, ...change }, box.call);
    };
    return { repo, from, to, read, forward, tip: () => box.git(repo.root, 'rev-parse', 'main') };
  }

  test('with its files, index and branch', async () => {
    using box = sandbox('[merge]\n\tff = false\n\tautoStash = true\n');
    const { repo, to, read, forward, tip } = await prepared(box);
    box.git(repo.root, 'config', 'branch.main.mergeOptions', '--squash --no-ff -S');
    expect(await forward()).toBe('done');
    expect([tip(), read('a.txt'), read('new.txt')]).toEqual([to, 'two\n', 'new\n']);
    expect(box.git(repo.root, 'status', '--porcelain', '-b')).toBe('## main');
    expect(await forward({ from: to })).toBe('done');
  });

  test('and keeps what is changed elsewhere in it', async () => {
    using box = sandbox();
    const { read, repo, to, forward, tip } = await prepared(box);
    box.write(repo.root, { kept: 'mine', 'other.txt': 'mine' });
    expect(await forward()).toBe('done');
    expect([tip(), read('kept'), read('other.txt')]).toEqual([to, 'mine', 'mine']);
  });

  test.each([
    ['a change', 'a.txt'],
    ['a new file', 'new.txt'],
  ])('unless %s would be lost', async (_what, file) => {
    using box = sandbox('[merge]\n\tautoStash = true\n');
    const { repo, from, read, forward, tip } = await prepared(box);
    box.write(repo.root, { [file]: 'mine' });
    expect(await forward()).toBe('refused');
    expect([tip(), read(file)]).toEqual([from, 'mine']);
    box.git(repo.root, 'add', '-A');
    expect(await forward()).toBe('refused');
    expect([tip(), read(file)]).toEqual([from, 'mine']);
  });

  test('unless an ignored file would be lost', async () => {
    using box = sandbox();
    const { repo, from, read, forward, tip } = await prepared(box);
    box.git(repo.root, 'checkout', '-q', '--detach');
    box.write(repo.root, { 'x.env': 'theirs' });
    box.git(repo.root, 'add', '-f', 'x.env');
    const to = box.commit(repo.root, {});
    box.git(repo.root, 'checkout', '-q', 'main');
    writeFileSync(path.join(repo.root, 'x.env'), 'mine');
    expect(await forward({ to })).toBe('refused');
    expect([tip(), read('x.env')]).toEqual([from, 'mine']);
  });

  test('unless the branch has moved, or another is checked out', async () => {
    using box = sandbox();
    const { repo, from, read, forward, tip } = await prepared(box);
    const mine = box.commit(repo.root, { mine: '1' });
    expect(await forward()).toBe('moved');
    expect([tip(), read('mine'), read('a.txt')]).toEqual([mine, '1', 'one\n']);
    box.git(repo.root, 'reset', '-q', '--hard', from);
    box.git(repo.root, 'checkout', '-q', '-b', 'other');
    expect(await forward()).toBe('moved');
    box.git(repo.root, 'checkout', '-q', '--detach', 'main');
    expect(await forward()).toBe('moved');
    expect([tip(), read('a.txt')]).toEqual([from, 'one\n']);
  });

  test('unless it is no way forward, or something was begun there', async () => {
    using box = sandbox();
    const { repo, from, to, forward, tip } = await prepared(box);
    const mine = box.commit(repo.root, { 'a.txt': 'mine' });
    await expect(forward({ from: mine })).rejects.toMatchObject({ code: 'git_failed' });
    failing(() => box.git(repo.root, 'merge', to));
    expect(await forward({ from: mine })).toBe('refused');
    box.git(repo.root, 'merge', '--abort');
    box.git(repo.root, 'reset', '-q', '--hard', from);
    writeFileSync(path.join(repo.gitDir, 'index.lock'), '');
    expect(await forward()).toBe('refused');
    expect(tip()).toBe(from);
  });
});
