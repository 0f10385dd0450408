import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { layGitTraps } from '@baton/testkit';
import { expect, test } from 'vitest';
import {
  addWorktree,
  linkFolders,
  type Repository,
  registeredWorktree,
  saveWorktree,
  startMerge,
  type Worktree,
  worktreeState,
} from '../src/index.ts';
import { type Sandbox, sandbox } from './sandbox.ts';

const REFS = 'refs/baton/kept/plan/job/';
const FILES = { 'a.txt': 'one\n', 'b.txt': 'two\n', '.gitignore': 'ignored\n', 'src/c.txt': 'x\n' };

interface Place {
  readonly repo: Repository;
  readonly worktree: Worktree;
  readonly start: string;
  state(): ReturnType<typeof worktreeState>;
  /** The ref. */
  save(): Promise<string>;
  show(ref: string, file: string): string;
  files(ref: string): string[];
}

async function placeIn(box: Sandbox, name = 'tree'): Promise<Place> {
  const repo = await box.repository(FILES, `repo-${name}`);
  const start = box.git(repo.root, 'rev-parse', 'HEAD');
  const worktree = await addWorktree(repo, { path: box.at(name), commit: start }, box.call);
  const state = () => worktreeState(repo, worktree, box.call);
  return {
    repo,
    worktree,
    start,
    state,
    save: async () => {
      const saving = { refs: REFS, state: await state(), message: 'Saved\n' };
      return saveWorktree(repo, worktree, saving, box.call);
    },
    show: (ref, file) => box.git(repo.root, 'show', `${ref}:${file}`),
    files: (ref) => box.git(repo.root, 'ls-tree', '-r', '--name-only', ref).split('\n'),
  };
}

test(`${cites('T49')} the state of a worktree changes with everything that somebody does in it`, async () => {
  using box = sandbox();
  const { worktree, state } = await placeIn(box);
  const tree = worktree.path;
  const prints = [(await state()).print];
  const changes = async (what: string, change: () => void) => {
    expect((await state()).print, `before ${what}`).toBe(prints.at(-1));
    change();
    const { print } = await state();
    expect(prints, what).not.toContain(print);
    prints.push(print);
  };
  const write = (file: string, text: string) => box.write(tree, { [file]: text });
  await changes('an edit', () => write('a.txt', 'changed\n'));
  await changes('an edit of the same length', () => write('a.txt', 'CHANGED\n'));
  await changes('a new file', () => write('new/d.txt', 'd\n'));
  await changes('another text in it', () => write('new/d.txt', 'e\n'));
  await changes('a removal', () => rmSync(path.join(tree, 'b.txt')));
  await changes('staging', () => box.git(tree, 'add', 'a.txt'));
  await changes('a commit', () => box.commit(tree, { 'e.txt': 'e\n' }));
  await changes('a branch', () => box.git(tree, 'switch', '-q', '-c', 'fix'));
  await changes('a repository within', () => box.git(tree, 'init', '-q', 'inner'));
  await changes('a file in that', () => write('inner/f.txt', 'f\n'));
  await changes('a change of that', () => write('inner/f.txt', 'g\n'));
  // Neither what git ignores nor our own look counts.
  write('ignored', 'x');
  expect((await state()).print).toBe(prints.at(-1));
});

test(`${cites('T49')} files that git was told not to look at are looked at and saved`, async () => {
  using box = sandbox();
  const { worktree, state, save, show } = await placeIn(box);
  const tree = worktree.path;
  const flags = { 'a.txt': '--skip-worktree', 'b.txt': '--assume-unchanged' };
  for (const [file, flag] of Object.entries(flags)) box.git(tree, 'update-index', flag, file);
  // As in a sparse checkout: that it is not there is no change.
  box.git(tree, 'update-index', '--skip-worktree', 'src/c.txt');
  rmSync(path.join(tree, 'src'), { recursive: true });
  const before = await state();
  expect(before.changes).toEqual([]);
  box.write(tree, { 'a.txt': 'of a person\n' });
  const between = await state();
  box.write(tree, { 'b.txt': 'of a person, too\n' });
  const after = await state();
  expect(new Set([before, between, after].map(({ print }) => print)).size).toBe(3);
  expect(after.changes.map((change) => change.path)).toEqual(['a.txt', 'b.txt']);
  const ref = await save();
  expect(show(ref, 'a.txt')).toBe('of a person');
  expect(show(ref, 'b.txt')).toBe('of a person, too');
  expect(show(ref, 'src/c.txt')).toBe('x');
  expect(box.git(tree, 'ls-files', '-v', 'a.txt', 'b.txt')).toBe('S a.txt\nh b.txt');
});

// Other systems have no such names.
test.runIf(process.platform === 'linux')(
  `${cites('T49')} a file whose name is not UTF-8 is watched and saved`,
  async () => {
    using box = sandbox();
    const { worktree, state, save, repo } = await placeIn(box);
    const file = Buffer.concat([Buffer.from(`${worktree.path}/caf`), Buffer.of(0xe9)]);
    const prints = [(await state()).print];
    for (const text of ['of the job', 'of a person']) {
      writeFileSync(file, text);
      prints.push((await state()).print);
    }
    expect(new Set(prints).size).toBe(3);
    const ref = await save();
    const listed = box.git(repo.root, 'ls-tree', '-r', ref);
    const blob = /blob (\w+)\t"caf\\351"/.exec(listed)?.[1] ?? '';
    expect(box.git(repo.root, 'cat-file', 'blob', blob)).toBe('of a person');
  },
);

test(`${cites('T49')} all that is not ignored is saved, and the worktree stays as it is`, async () => {
  using box = sandbox();
  const { repo, worktree, start, state, save, show, files } = await placeIn(box);
  const tree = worktree.path;
  const own = box.commit(tree, { 'committed.txt': 'mine\n' });
  box.write(tree, { 'a.txt': 'staged\n' });
  box.git(tree, 'add', 'a.txt');
  box.write(tree, { 'a.txt': 'later\n', 'new/d.txt': 'new\n', ignored: 'secret\n' });
  rmSync(path.join(tree, 'b.txt'));
  const before = await state();
  const index = readFileSync(path.join(worktree.gitDir, 'index'));
  const ref = await save();
  expect(ref).toBe(`${REFS}1`);
  expect(files(ref).sort()).toEqual([
    '.gitignore',
    'a.txt',
    'committed.txt',
    'new/d.txt',
    'src/c.txt',
  ]);
  expect(show(ref, 'a.txt')).toBe('later');
  // What was staged is in no file any more.
  expect(box.git(repo.root, 'rev-parse', `${ref}^1`)).toBe(own);
  expect(show(`${ref}^2`, 'a.txt')).toBe('staged');
  expect(await state()).toEqual(before);
  expect(readFileSync(path.join(worktree.gitDir, 'index'))).toEqual(index);
  // The same once more, and then something else.
  expect(await save()).toBe(ref);
  box.git(tree, 'reset', '-q', '--hard');
  rmSync(path.join(tree, 'new'), { recursive: true });
  expect(await save()).toBe(`${REFS}2`);
  expect(box.git(repo.root, 'rev-parse', `${REFS}2`)).toBe(own);
  expect(box.git(repo.root, 'merge-base', own, start)).toBe(start);
});

test(`${cites('T49')} a resolution that nobody has committed keeps both sides`, async () => {
  using box = sandbox();
  const { repo, worktree, save, show } = await placeIn(box);
  const tree = worktree.path;
  const theirs = box.commit(repo.root, { 'a.txt': 'theirs\n' });
  const ours = box.commit(tree, { 'a.txt': 'ours\n' });
  await startMerge(worktree, theirs, box.call);
  expect(readFileSync(path.join(tree, 'a.txt'), 'utf8')).toContain('<<<<<<<');
  box.write(tree, { 'a.txt': 'both\n' });
  const ref = await save();
  expect(show(ref, 'a.txt')).toBe('both');
  const parents = box.git(repo.root, 'rev-parse', `${ref}^1`, `${ref}^2`).split('\n');
  expect(parents).toEqual([ours, theirs]);
  expect(existsSync(path.join(worktree.gitDir, 'MERGE_HEAD'))).toBe(true);
});

test(`${cites('T49')} commits that are being rebased are not lost`, async () => {
  using box = sandbox();
  const { repo, worktree, save } = await placeIn(box);
  const onto = box.commit(repo.root, { 'a.txt': 'theirs\n' });
  const mine = box.commit(worktree.path, { 'a.txt': 'mine\n' });
  const last = box.commit(worktree.path, { 'e.txt': 'last\n' });
  expect(() => box.git(worktree.path, 'rebase', '-q', onto)).toThrow(/conflict/i);
  const ref = await save();
  for (const commit of [mine, last, onto]) {
    expect(box.git(repo.root, 'merge-base', commit, ref)).toBe(commit);
  }
});

test.each(['merge', 'rebase'])(
  `${cites('T49')} what a %s has set aside meanwhile is not lost`,
  async (command) => {
    using box = sandbox();
    const { repo, worktree, save, show } = await placeIn(box);
    const theirs = box.commit(repo.root, { 'a.txt': 'theirs\n' });
    box.commit(worktree.path, { 'a.txt': 'mine\n' });
    box.write(worktree.path, { 'b.txt': 'not committed\n' });
    expect(() => box.git(worktree.path, command, '-q', '--autostash', theirs)).toThrow();
    expect(readFileSync(path.join(worktree.path, 'b.txt'), 'utf8')).toBe('two\n');
    const ref = await save();
    const parents = box.git(repo.root, 'rev-parse', `${ref}^@`).split('\n');
    expect(parents.map((parent) => show(parent, 'b.txt'))).toContain('not committed');
  },
);

test(`${cites('T49')} files outside of a sparse checkout are saved, and those that it leaves out stay`, async () => {
  using box = sandbox();
  const { worktree, save, show, files } = await placeIn(box);
  box.commit(worktree.path, { 'left/out.txt': 'out\n' });
  box.git(worktree.path, 'sparse-checkout', 'set', '--cone', 'src');
  expect(existsSync(path.join(worktree.path, 'left'))).toBe(false);
  box.write(worktree.path, { 'other/new.txt': 'mine\n' });
  const ref = await save();
  expect(show(ref, 'other/new.txt')).toBe('mine');
  expect(files(ref)).toContain('left/out.txt');
});

test(`${cites('T49', 'T6')} nothing that the repository brings along runs, and a required filter does not keep it from being saved`, async () => {
  using box = sandbox();
  const { repo, worktree, save, show } = await placeIn(box);
  const traps = layGitTraps(repo.gitDir, box.at('traps'));
  const canary = box.at('filtered');
  for (const name of ['trap', 'a=b.c']) {
    box.git(repo.root, 'config', `filter.${name}.clean`, `echo ran >> '${canary}'; cat`);
    box.git(repo.root, 'config', `filter.${name}.process`, `echo ran >> '${canary}'; exit 1`);
    box.git(repo.root, 'config', `filter.${name}.required`, 'true');
  }
  box.write(worktree.path, {
    '.gitattributes': '*.txt filter=trap\n*.bin filter=a=b.c\n',
    'a.txt': 'mine\n',
    'x.bin': 'bin\n',
  });
  const ref = await save();
  expect(show(ref, 'a.txt')).toBe('mine');
  expect(show(ref, 'x.bin')).toBe('bin');
  expect(existsSync(canary)).toBe(false);
  expect(traps.tripped()).toEqual([]);
});

test(`${cites('T49', 'T50')} where the repository has git-lfs run something, git-lfs does not run`, async () => {
  const filter = '\tclean = "touch $HOME/filtered; cat"\n\tsmudge = cat\n\trequired = true\n';
  using box = sandbox(`[filter "lfs"]\n${filter}`);
  // Git-lfs itself may be set up for the whole machine.
  const call = { env: { ...box.call.env, GIT_CONFIG_NOSYSTEM: '1' } };
  const { repo, worktree, save, show } = await placeIn({ ...box, call });
  const canary = path.join(box.home, 'filtered');
  box.write(worktree.path, { '.gitattributes': '*.txt filter=lfs\n', 'a.txt': 'mine\n' });
  await save();
  expect(existsSync(canary)).toBe(true);
  rmSync(canary);
  box.git(repo.root, 'config', 'lfs.extension.x.clean', 'evil');
  box.write(worktree.path, { 'a.txt': 'mine, too\n' });
  expect(show(await save(), 'a.txt')).toBe('mine, too');
  expect(existsSync(canary)).toBe(false);
});

test(`${cites('T49')} a repository within cannot be saved, and says so`, async () => {
  using box = sandbox();
  const { worktree, state, save } = await placeIn(box);
  const inner = path.join(worktree.path, 'inner');
  mkdirSync(inner);
  box.git(inner, 'init', '-q');
  box.commit(inner, { 'mine.txt': 'mine\n' });
  await expect(save()).rejects.toMatchObject({ code: 'nested_repository' });
  rmSync(inner, { recursive: true });
  // Beside tracked files git does not mention it.
  const { print } = await state();
  const tracked = path.join(worktree.path, 'src');
  box.git(tracked, 'init', '-q');
  box.git(tracked, 'config', 'status.showUntrackedFiles', 'no');
  const begun = await state();
  expect(begun.print).not.toBe(print);
  box.git(tracked, 'add', '-A');
  box.git(tracked, 'commit', '-q', '-m', 'mine');
  expect((await state()).print).not.toBe(begun.print);
  await expect(save()).rejects.toMatchObject({ code: 'nested_repository' });
  rmSync(path.join(tracked, '.git'), { recursive: true });
  rmSync(path.join(worktree.path, '.git'));
  box.git(worktree.path, 'init', '-q');
  await expect(save()).rejects.toMatchObject({ code: 'nested_repository' });
});

test(`${cites('T49')} commits that only a submodule has cannot be saved; those of its remote need not be`, async () => {
  using box = sandbox();
  const { worktree, state, save } = await placeIn(box);
  const inner = await box.repository({ 'in.txt': 'one\n' }, 'inner');
  const allow = ['-c', 'protocol.file.allow=always'];
  box.git(worktree.path, ...allow, 'submodule', 'add', '-q', inner.root, 'sub');
  box.git(worktree.path, 'commit', '-qm', 'submodule');
  await expect(save()).resolves.toBe(`${REFS}1`);
  const { print } = await state();
  const sub = path.join(worktree.path, 'sub');
  const start = box.git(sub, 'rev-parse', 'HEAD');
  box.commit(sub, { 'in.txt': 'mine\n' });
  box.git(worktree.path, 'commit', '-qam', 'advanced');
  const refused = { code: 'nested_repository', message: expect.stringContaining('worktree: sub.') };
  await expect(save()).rejects.toMatchObject(refused);
  box.git(worktree.path, 'reset', '-q', '--hard', 'HEAD^');
  box.git(sub, 'switch', '-q', '-c', 'aside');
  box.git(sub, 'checkout', '-q', '--detach', start);
  expect((await state()).print).not.toBe(print);
  await expect(save()).rejects.toMatchObject(refused);
  box.git(sub, 'push', '-q', 'origin', 'aside');
  await expect(save()).resolves.toBe(`${REFS}1`);
});

test(`${cites('T49', 'T50')} changes in a submodule are seen, and its settings run nothing`, async () => {
  using box = sandbox();
  const { worktree, state, save } = await placeIn(box);
  const inner = await box.repository({ 'in.txt': 'one\n' }, 'inner');
  const allow = ['-c', 'protocol.file.allow=always'];
  box.git(worktree.path, ...allow, 'submodule', 'add', '-q', inner.root, 'sub');
  box.git(worktree.path, 'commit', '-qm', 'submodule');
  const clean = await state();
  expect((await state()).print).toBe(clean.print);
  expect(clean.changes).toEqual([]);
  const canary = box.at('filtered');
  const sub = path.join(worktree.path, 'sub');
  box.git(sub, 'config', 'filter.trap.clean', `echo ran >> '${canary}'; cat`);
  box.write(sub, { '.gitattributes': '* filter=trap\n', 'in.txt': 'two\n' });
  expect((await state()).print).not.toBe(clean.print);
  await expect(save()).rejects.toMatchObject({ code: 'nested_repository' });
  expect(existsSync(canary)).toBe(false);
});

test(`${cites('T49', 'T11')} a .git that leads elsewhere leads nowhere`, async () => {
  using box = sandbox();
  const { repo, worktree, save, show } = await placeIn(box);
  const start = box.git(repo.root, 'rev-parse', 'HEAD');
  const other = await addWorktree(repo, { path: box.at('other'), commit: start }, box.call);
  box.commit(other.path, { 'a.txt': "another's\n" });
  box.write(worktree.path, { 'a.txt': 'mine\n' });
  writeFileSync(path.join(worktree.path, '.git'), `gitdir: ${other.gitDir}\n`);
  expect(registeredWorktree(worktree.path, repo)).toEqual(worktree);
  const ref = await save();
  expect(show(ref, 'a.txt')).toBe('mine');
  expect(box.git(repo.root, 'rev-parse', `${ref}^`)).toBe(start);
  rmSync(path.join(worktree.path, '.git'));
  expect(registeredWorktree(worktree.path, repo)).toEqual(worktree);
  expect(registeredWorktree(box.at('nowhere'), repo)).toBeUndefined();
});

test(`${cites('T49')} folders of the checkout that are linked are not saved; links of people are`, async () => {
  using box = sandbox();
  const { repo, worktree, state, save, files } = await placeIn(box);
  box.write(repo.root, { 'node_modules/m.js': 'm\n' });
  linkFolders(repo, worktree, ['node_modules']);
  expect(await state()).toMatchObject({ changes: [], links: ['node_modules'] });
  symlinkSync('a.txt', path.join(worktree.path, 'mine'));
  const ref = await save();
  expect(files(ref)).toContain('mine');
  expect(files(ref)).not.toContain('node_modules');
});
