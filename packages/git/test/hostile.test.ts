import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { layGitTraps } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import * as git from '../src/index.ts';
import { type Sandbox, sandbox } from './sandbox.ts';

const INJECTIONS = [
  '--output=C',
  '--upload-pack=touch C',
  '-x',
  'a..b',
  '$(touch C)',
  '`touch C`',
  ';touch C',
  '|touch C',
  'a\ntouch C',
  'a\0b',
  'ext::sh -c touch% C',
  '@{-1}',
  ':(exclude)*',
];

async function prepared(box: Sandbox) {
  const repo = await box.repository({ 'a.txt': 'one\n', '.gitignore': '*.env\nlinked\n' });
  const base = box.git(repo.root, 'rev-parse', 'HEAD');
  box.git(repo.root, 'checkout', '-q', '--detach');
  const ours = box.commit(repo.root, { 'b.txt': '1\n', 'a.txt': 'ours\n' });
  box.git(repo.root, 'checkout', '-q', base);
  const theirs = box.commit(repo.root, { 'c.txt': '1\n' });
  const conflicting = box.commit(repo.root, { 'a.txt': 'theirs\n' });
  box.git(repo.root, 'checkout', '-q', 'main');
  return { repo, base, ours, theirs, conflicting };
}

test('T6 T50 no operation runs hooks, monitors, or other programs of the repository', async () => {
  using box = sandbox();
  const { repo, base, ours, theirs, conflicting } = await prepared(box);
  box.write(repo.root, { 'x.env': '1', 'linked/x': '1', '.worktreeinclude': '*.env\n' });
  const traps = layGitTraps(repo.gitDir, box.at('traps'));
  const { call } = box;
  const step = async <T>(name: string, work: () => T | Promise<T>): Promise<T> => {
    const result = await work();
    expect([name, traps.tripped()]).toEqual([name, []]);
    return result;
  };
  await step('find', () => git.findRepository(repo.root, call));
  await step('resolve', () => git.resolveCommit(repo, 'main', call));
  await step('defaults', () => git.defaultBranches(repo, call));
  await step('commands', () => git.localCommands(repo, call));
  const worktree = await step('add', () =>
    git.addWorktree(repo, { path: box.at('w'), commit: ours }, call),
  );
  await step('head', () => git.headOf(worktree, call));
  await step('copy', () => git.copyIncluded(repo, worktree, call));
  await step('link', () => git.linkFolders(repo, worktree, ['linked']));
  box.write(worktree.path, { 'new.txt': '1', 'b.txt': '2\n' });
  await step('changes', () => git.worktreeChanges(worktree, ours, call));
  await step('snapshot', () => git.snapshotWorktree(worktree, ours, call));
  const state = await step('state', () => git.worktreeState(repo, worktree, call));
  const saving = { refs: 'refs/baton/kept/', state, message: 'x' };
  await step('save', () => git.saveWorktree(repo, worktree, saving, call));
  const options = { start: ours, message: 'x', except: [] };
  const { commit } = await step('commit', () => git.commitAll(worktree, options, repo, call));
  await step('merge', () => git.mergeCommits(repo, { ours: commit, theirs, message: 'm' }, call));
  const conflict = { ours: commit, theirs: conflicting, message: 'm' };
  expect((await step('conflict', () => git.mergeCommits(repo, conflict, call))).kind).toBe(
    'conflict',
  );
  await step('predict', () => git.predictConflicts(repo, ours, conflicting, call));
  await step('startMerge', () => git.startMerge(worktree, conflicting, call));
  await step('keep', () => git.keepRef(repo, 'refs/baton/p/x', commit, call));
  await step('set', () =>
    git.setRef(repo, { ref: 'refs/heads/n', to: base, from: undefined }, call),
  );
  await step('read', () => git.readRef(repo, 'refs/heads/n', call));
  await step('drop', () => git.dropRefs(repo, 'refs/baton/p/', call));
  await step('ancestor', () => git.isAncestor(repo, base, ours, call));
  await step('independent', () => git.independent(repo, [base, ours], call));
  await step('stat', () => git.diffStat(repo, base, ours, call));
  await step('patch', () => git.diffPatch(repo, base, ours, {}, call));
  await step('paths', () => git.changedPaths(repo, base, ours, call));
  const [checkout] = await step('checkouts', () => git.checkoutsOf(repo, 'main', call));
  if (!checkout) throw new Error('main is checked out');
  const forward = { branch: 'main', from: base, to: theirs };
  expect(await step('forward', () => git.forwardCheckout(checkout, forward, call))).toBe('done');
  await step('remove', () => git.removeWorktree(repo, worktree.path, call));
});

test('the traps would work', async () => {
  using box = sandbox();
  const { repo, call } = { ...(await prepared(box)), ...box };
  const traps = layGitTraps(repo.gitDir, box.at('traps'));
  box.write(repo.root, { 'a.txt': 'changed\n' });
  const settings = ['-c', 'commit.gpgSign=false'];
  for (const args of [
    ['diff'],
    ['add', 'a.txt'],
    ['commit', '-qm', 'x'],
    ['checkout', '-q', '-f'],
  ]) {
    spawnSync('git', ['-C', repo.root, ...settings, ...args], { env: call.env, input: '' });
  }
  spawnSync('git', ['-C', repo.root, 'commit', '-q', '--amend', '--no-edit'], { env: call.env });
  const kinds = new Set(traps.tripped().map((name) => name.replace(/-\d+$/, '')));
  const wanted = [
    'core.fsmonitor',
    'diff.command',
    'gpg.program',
    'hooksPath-pre-commit',
    'hooksPath-post-checkout',
  ];
  expect([...kinds]).toEqual(expect.arrayContaining(wanted));
  // Hooks in settings: there are none that an older git would run.
  const [, minor = 0] = (await git.gitVersion(call)).split('.').map(Number);
  expect(kinds.has('hook.command')).toBe(minor >= 54);
});

describe('no name is taken for an option or a command', () => {
  test.each(INJECTIONS)('%j', async (bad) => {
    using box = sandbox();
    const { repo, base, ours } = await prepared(box);
    const { call } = box;
    const worktree = await git.addWorktree(repo, { path: box.at('w'), commit: base }, call);
    const state = await git.worktreeState(repo, worktree, call);
    const place = { path: repo.root, gitDir: repo.gitDir, commonDir: repo.gitDir };
    const checkout = { ...place, changes: [], isBusy: false };
    const refused: readonly (() => Promise<unknown>)[] = [
      () => git.resolveCommit(repo, bad, call),
      () => git.addWorktree(repo, { path: box.at('v'), commit: bad }, call),
      () => git.commitAll(worktree, { start: bad, message: 'x', except: [] }, repo, call),
      () => git.snapshotWorktree(worktree, bad, call),
      () => git.worktreeChanges(worktree, bad, call),
      () => git.saveWorktree(repo, worktree, { refs: `${bad}/`, state, message: 'x' }, call),
      () => git.startMerge(worktree, bad, call),
      () => git.keepRef(repo, bad, base, call),
      () => git.keepRef(repo, `refs/baton/${bad}`, bad, call),
      () => git.setRef(repo, { ref: bad, to: base, from: base }, call),
      () => git.setRef(repo, { ref: 'refs/heads/main', to: bad, from: base }, call),
      () => git.setRef(repo, { ref: 'refs/heads/main', to: base, from: bad }, call),
      () => git.readRef(repo, bad, call),
      () => git.dropRefs(repo, bad, call),
      () => git.isAncestor(repo, bad, base, call),
      () => git.isAncestor(repo, base, bad, call),
      () => git.independent(repo, [base, bad], call),
      () => git.mergeCommits(repo, { ours: bad, theirs: base, message: 'x' }, call),
      () => git.mergeCommits(repo, { ours: base, theirs: bad, message: 'x' }, call),
      () => git.predictConflicts(repo, bad, base, call),
      () => git.predictConflicts(repo, base, bad, call),
      () => git.checkoutsOf(repo, bad, call),
      () => git.forwardCheckout(checkout, { branch: bad, from: base, to: ours }, call),
      () => git.forwardCheckout(checkout, { branch: 'main', from: bad, to: ours }, call),
      () => git.forwardCheckout(checkout, { branch: 'main', from: base, to: bad }, call),
      () => git.diffStat(repo, bad, base, call),
      () => git.diffStat(repo, base, bad, call),
      () => git.diffPatch(repo, bad, base, {}, call),
      () => git.changedPaths(repo, base, bad, call),
    ];
    for (const [at, operation] of refused.entries()) {
      const result = await operation().catch((error: unknown) => error);
      expect(result, `operation ${at}`).toMatchObject({ code: 'revision_invalid' });
    }
    const taken: readonly (() => Promise<unknown>)[] = [
      () => git.findRepository(bad, call),
      () => git.addWorktree(repo, { path: bad, commit: base }, call),
      () => git.removeWorktree(repo, bad, call),
      () => git.diffPatch(repo, base, ours, { paths: [bad] }, call),
      () => git.commitAll(worktree, { start: base, message: bad, except: [bad] }, repo, call),
      () => git.mergeCommits(repo, { ours: base, theirs: ours, message: bad, ourLabel: bad }, call),
    ];
    for (const operation of taken) await operation().catch(() => undefined);
    expect(() => git.linkFolders(repo, worktree, [bad])).toThrow(
      expect.objectContaining({ code: 'link_invalid' }),
    );
    const folders = [box.path, repo.root, worktree.path, repo.gitDir, process.cwd()];
    expect(folders.filter((folder) => existsSync(path.join(folder, 'C')))).toEqual([]);
    expect(box.git(repo.root, 'rev-parse', 'main')).toBe(base);
    expect(readdirSync(box.path).sort()).toEqual(['home', 'repo', 'w']);
  });
});
