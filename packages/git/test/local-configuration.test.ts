import { appendFileSync, existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import {
  addWorktree,
  commitAll,
  type GitCall,
  localCommands,
  saveWorktree,
  snapshotWorktree,
  worktreeChanges,
  worktreeState,
} from '../src/index.ts';
import { type Sandbox, sandbox } from './sandbox.ts';

test("commands of the repository's own settings are reported, the user's are not", async () => {
  using box = sandbox('[filter "lfs"]\n\tsmudge = git-lfs smudge\n[merge "mine"]\n\tdriver = x\n');
  const repo = await box.repository();
  expect(await localCommands(repo, box.call)).toEqual([]);
  const set = (name: string, value: string) => box.git(repo.root, 'config', name, value);
  set('filter.Evil "one".smudge', 'touch C');
  set('filter.x.clean', 'a\nb');
  set('filter.x.required', 'true');
  set('merge.y.driver', 'touch %A');
  set('merge.y.name', 'harmless');
  set('core.sshCommand', 'ssh -i key');
  set('lfs.extension.x.clean', 'touch C');
  set('lfs.customtransfer.x.path', 'evil');
  set('lfs.customtransfer.x.args', 'harmless');
  writeFileSync(path.join(repo.gitDir, 'more'), '[filter "z"]\n\tprocess = run\n');
  set('include.path', 'more');
  set('extensions.worktreeConfig', 'true');
  writeFileSync(path.join(repo.gitDir, 'config.worktree'), '[filter "w"]\n\tclean = own\n');
  expect(await localCommands(repo, box.call)).toEqual([
    { name: 'filter.Evil "one".smudge', value: 'touch C' },
    { name: 'filter.w.clean', value: 'own' },
    { name: 'filter.x.clean', value: 'a\nb' },
    { name: 'filter.z.process', value: 'run' },
    { name: 'lfs.customtransfer.x.path', value: 'evil' },
    { name: 'lfs.extension.x.clean', value: 'touch C' },
    { name: 'merge.y.driver', value: 'touch %A' },
  ]);
});

test.each([
  ['remote.origin.promisor', 'true'],
  ['remote.origin.partialCloneFilter', 'blob:none'],
  ['extensions.partialClone', 'origin'],
])(
  'T50 a partial clone, by %s, fetches whenever it reads: what that runs is reported too',
  async (name, value) => {
    using box = sandbox();
    const repo = await box.repository({ 'a.txt': 'one\n' });
    const commit = box.git(repo.root, 'rev-parse', 'HEAD');
    const blob = box.git(repo.root, 'rev-parse', 'HEAD:a.txt');
    const canary = box.at('canary');
    box.git(repo.root, 'config', 'remote.origin.url', repo.root);
    box.git(repo.root, 'config', 'remote.origin.uploadpack', `touch '${canary}'; false`);
    box.git(repo.root, 'config', 'core.sshCommand', 'touch D');
    expect(await localCommands(repo, box.call)).toEqual([]);
    box.git(repo.root, 'config', 'core.repositoryFormatVersion', '1');
    box.git(repo.root, 'config', name, value);
    expect(await localCommands(repo, box.call)).toEqual([
      { name: 'core.sshcommand', value: 'touch D' },
      { name: 'remote.origin.uploadpack', value: `touch '${canary}'; false` },
    ]);
    rmSync(path.join(repo.gitDir, 'objects', blob.slice(0, 2)), { recursive: true });
    const add = () => addWorktree(repo, { path: box.at('w'), commit }, box.call);
    await expect(add()).rejects.toMatchObject({ code: 'not_trusted' });
    expect(existsSync(canary)).toBe(false);
    // It would have run.
    const permit = async () => {};
    const permitted = addWorktree(repo, { path: box.at('w'), commit }, { ...box.call, permit });
    await expect(permitted).rejects.toMatchObject({ code: 'git_failed' });
    expect(existsSync(canary)).toBe(true);
  },
);

/** A repository whose files all go through a filter, if there is one, that leaves a trace. */
async function filtered(box: Sandbox) {
  const repo = await box.repository({ 'a.txt': 'one\n', '.gitattributes': '* filter=trap\n' });
  const commit = box.git(repo.root, 'rev-parse', 'HEAD');
  const canary = box.at('canary');
  const command = `touch '${canary}'; cat`;
  const filter = `[filter "trap"]\n\tclean = "${command}"\n\tsmudge = "${command}"\n`;
  const commands = ['clean', 'smudge'].map((key) => ({
    name: `filter.trap.${key}`,
    value: command,
  }));
  const config = path.join(repo.gitDir, 'config');
  return { repo, commit, filter, commands, config, hasRun: () => existsSync(canary) };
}

test.each([
  ['by its git folder', '[includeIf "gitdir:**/worktrees/**"]\n\tpath = more\n'],
  ['in another spelling', '[core][INCLUDEIF "gitdir/i:**/WORKTREES/**"]path = more\n'],
  ['through an include', '[include]\n\tpath = conditions\n'],
])(
  'T50 a filter for worktrees only, %s, is refused before files are checked out',
  async (_, text) => {
    using box = sandbox();
    const { repo, commit, filter, commands, config, hasRun } = await filtered(box);
    writeFileSync(path.join(repo.gitDir, 'more'), filter);
    const conditions = '[includeIf "gitdir:**/worktrees/*"]\n\tpath = more\n';
    writeFileSync(path.join(repo.gitDir, 'conditions'), conditions);
    appendFileSync(config, text);
    expect(await localCommands(repo, box.call)).toEqual([]);
    const add = { path: box.at('w'), commit };
    await expect(addWorktree(repo, add, box.call)).rejects.toMatchObject({ code: 'not_trusted' });
    expect(hasRun()).toBe(false);
    expect(existsSync(box.at('w'))).toBe(false);
    expect(existsSync(path.join(repo.gitDir, 'worktrees'))).toBe(false);
    const permit = vi.fn(async () => {});
    await addWorktree(repo, add, { ...box.call, permit });
    expect(permit.mock.calls).toEqual([[commands]]);
    expect(hasRun()).toBe(true);
  },
);

test('T50 what changes in settings while a worktree is used counts for the next call', async () => {
  using box = sandbox();
  const { repo, commit, filter, config, hasRun } = await filtered(box);
  box.git(repo.root, 'config', 'extensions.worktreeConfig', 'true');
  const worktree = await addWorktree(repo, { path: box.at('w'), commit }, box.call);
  const own = path.join(worktree.gitDir, 'config.worktree');
  box.write(worktree.path, { 'a.txt': 'two\n' });
  const committing = { start: commit, message: 'x', except: [] };
  const refused = async () => {
    for (const operation of [
      () => worktreeChanges(worktree, commit, box.call),
      () => snapshotWorktree(worktree, commit, box.call),
      () => commitAll(worktree, committing, repo, box.call),
    ]) {
      await expect(operation()).rejects.toMatchObject({ code: 'not_trusted' });
      expect(hasRun()).toBe(false);
    }
  };
  writeFileSync(own, filter);
  await refused();
  writeFileSync(own, '');
  const before = box.git(repo.root, 'config', '--file', config, '--list');
  appendFileSync(config, filter);
  await refused();
  box.git(repo.root, 'config', '--remove-section', 'filter.trap');
  expect(box.git(repo.root, 'config', '--file', config, '--list')).toBe(before);
  // Where its git folder says that the settings are, is not believed.
  const evil = box.at('evil');
  mkdirSync(evil);
  for (const name of ['objects', 'refs']) mkdirSync(path.join(evil, name));
  writeFileSync(path.join(evil, 'config'), `[core]\n\trepositoryFormatVersion = 0\n${filter}`);
  writeFileSync(path.join(worktree.gitDir, 'commondir'), `${evil}\n`);
  expect(await commitAll(worktree, committing, repo, box.call)).toMatchObject({
    isRewritten: false,
  });
  expect(hasRun()).toBe(false);
});

test('T50 no change of the settings is missed, however soon it comes', async () => {
  using box = sandbox();
  const { repo, config } = await filtered(box);
  for (let round = 100; round < 150; round += 1) {
    writeFileSync(config, `[filter "x"]\n\tclean = ${round}\n`);
    expect(await localCommands(repo, box.call)).toEqual([
      { name: 'filter.x.clean', value: String(round) },
    ]);
  }
});

test('T50 the settings of a submodule count where git looks into it', async () => {
  using box = sandbox();
  const { repo, commit, filter, commands, hasRun } = await filtered(box);
  const worktree = await addWorktree(repo, { path: box.at('w'), commit }, box.call);
  const inner = await box.repository(
    { 'a.txt': 'one\n', '.gitattributes': '* filter=trap\n' },
    'in',
  );
  const sub = path.join(worktree.path, 'sub');
  box.git(box.path, 'clone', '-q', inner.root, sub);
  box.git(worktree.path, 'add', 'sub');
  const start = box.commit(worktree.path, { '.gitmodules': '[submodule "sub"]\n\tpath = sub\n' });
  appendFileSync(path.join(sub, '.git', 'config'), filter);
  const touched = () => utimesSync(path.join(sub, 'a.txt'), 1, Math.random() * 1e9);
  touched();
  box.write(worktree.path, { 'b.txt': 'new\n' });
  const committing = { start, message: 'x', except: [] };
  const operations = [
    (call: GitCall) => snapshotWorktree(worktree, start, call),
    (call: GitCall) => commitAll(worktree, committing, repo, call),
  ];
  for (const operation of operations) {
    await expect(operation(box.call)).rejects.toMatchObject({ code: 'not_trusted' });
  }
  const state = await worktreeState(repo, worktree, box.call);
  const saving = { refs: 'refs/baton/kept/', state, message: 'x' };
  await saveWorktree(repo, worktree, saving, box.call);
  expect(hasRun()).toBe(false);
  const permit = vi.fn(async () => {});
  for (const operation of operations) {
    touched();
    await operation({ ...box.call, permit });
  }
  for (const call of permit.mock.calls) expect(call).toEqual([commands]);
  expect(hasRun()).toBe(true);
});
