import { execFileSync } from 'node:child_process';
import { chownSync, lchownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { temporaryFolder } from '@baton/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findWorkspace, trustedOwners } from '../src/index.ts';

let folder: ReturnType<typeof temporaryFolder>;
let repository: string;
const inFolder = (...parts: string[]) => path.join(folder.path, ...parts);

function workspaceOf(start: string) {
  const { workspace, refusals } = findWorkspace(start);
  expect(refusals).toEqual([]);
  return workspace;
}

function git(...args: string[]): void {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  execFileSync('git', [...identity, ...args], { cwd: repository, stdio: 'ignore' });
}

beforeAll(() => {
  folder = temporaryFolder();
  repository = inFolder('repository');
  mkdirSync(path.join(repository, 'packages', 'app'), { recursive: true });
  git('init', '--initial-branch=main');
  writeFileSync(path.join(repository, 'packages', 'app', 'a.txt'), 'a');
  git('add', '-A');
  git('commit', '-m', 'first');
  git('worktree', 'add', inFolder('worktree'), '-b', 'side');
});
afterAll(() => folder[Symbol.dispose]());

test(`${cites('WORKSPACE')} a subfolder of a repository is the repository`, () => {
  expect(workspaceOf(path.join(repository, 'packages', 'app'))).toEqual({
    path: repository,
    foundBy: 'git',
  });
});

test(`${cites('WORKSPACE')} a linked worktree is its main checkout`, () => {
  expect(workspaceOf(inFolder('worktree', 'packages'))).toEqual({
    path: repository,
    foundBy: 'git',
    checkout: inFolder('worktree'),
  });
});

test(`${cites('WORKSPACE')} the nearest .baton wins, and is mapped through a worktree too`, () => {
  mkdirSync(path.join(repository, 'packages', 'app', '.baton'), { recursive: true });
  mkdirSync(inFolder('worktree', 'packages', 'app', '.baton'), { recursive: true });
  const app = path.join(repository, 'packages', 'app');
  expect(workspaceOf(app)).toEqual({ path: app, foundBy: 'baton-folder' });
  expect(workspaceOf(inFolder('worktree', 'packages', 'app')).path).toBe(app);
  expect(workspaceOf(path.join(repository, 'packages')).path).toBe(repository);
});

test(`${cites('WORKSPACE')} a plain folder is itself, by its real path`, () => {
  mkdirSync(inFolder('plain'));
  symlinkSync(inFolder('plain'), inFolder('link'));
  expect(workspaceOf(inFolder('link'))).toEqual({ path: inFolder('plain'), foundBy: 'folder' });
});

test(`${cites('WORKSPACE')} a submodule and a broken .git file stay where they are`, () => {
  const cases = {
    submodule: 'gitdir: ../repository/.git/modules/x\n',
    broken: 'nonsense',
    gone: 'gitdir: /nowhere\n',
  };
  mkdirSync(path.join(repository, '.git', 'modules', 'x'), { recursive: true });
  for (const [name, text] of Object.entries(cases)) {
    mkdirSync(inFolder(name));
    writeFileSync(inFolder(name, '.git'), text);
    expect(workspaceOf(inFolder(name)).path).toBe(inFolder(name));
  }
});

test(`${cites('WORKSPACE')} a .git that is a pipe or a loop is not waited for`, () => {
  mkdirSync(inFolder('pipe'));
  execFileSync('mkfifo', [inFolder('pipe', '.git')]);
  expect(workspaceOf(inFolder('pipe')).path).toBe(inFolder('pipe'));
  mkdirSync(inFolder('loop'));
  symlinkSync('.git', inFolder('loop', '.git'));
  expect(workspaceOf(inFolder('loop'))).toEqual({ path: inFolder('loop'), foundBy: 'folder' });
});

test(`${cites('WORKSPACE')} what is not there, or no folder, is a named error`, () => {
  for (const missing of [
    inFolder('nothing'),
    path.join(repository, 'packages', 'app', 'a.txt'),
    '/x\u0000y',
  ]) {
    expect(() => findWorkspace(missing)).toThrow(
      expect.objectContaining({ code: 'workspace_missing' }),
    );
  }
});

describe('folders that users share', () => {
  // As seen by somebody who owns nothing here.
  const STRANGER = { owners: [(process.geteuid?.() ?? 0) + 4711] };
  let shared: string;

  beforeAll(() => {
    shared = inFolder('shared');
    mkdirSync(path.join(shared, '.baton'), { recursive: true });
    mkdirSync(path.join(shared, 'project', 'deep'), { recursive: true });
  });

  test(`${cites('T54')} another user's .baton above is not used, and this is said`, () => {
    const start = path.join(shared, 'project', 'deep');
    expect(findWorkspace(start).workspace.path).toBe(shared);
    const { workspace, refusals } = findWorkspace(start, STRANGER);
    expect(workspace).toEqual({ path: start, foundBy: 'folder' });
    expect(refusals).toHaveLength(1);
    expect(refusals[0]).toContain(`Not used: ${path.join(shared, '.baton')} `);
    expect(refusals[0]).toContain(`--workspace ${shared},`);
  });

  test(`${cites('T54')} in the folder itself it is not read either, unless the folder is named`, () => {
    expect(findWorkspace(shared, STRANGER).workspace).toEqual({
      path: shared,
      foundBy: 'folder',
      hasForeignFolder: true,
    });
    expect(findWorkspace(shared, { ...STRANGER, isNamed: true })).toEqual({
      workspace: { path: shared, foundBy: 'baton-folder' },
      refusals: [],
    });
    // Who names a folder has said nothing about those above it.
    const below = path.join(shared, 'project');
    expect(findWorkspace(below, { ...STRANGER, isNamed: true }).workspace.path).toBe(below);
  });

  test(`${cites('T54')} another user's .git makes no workspace, and leads to none`, () => {
    const planted = inFolder('planted');
    mkdirSync(path.join(planted, '.git'), { recursive: true });
    mkdirSync(path.join(planted, 'mine'));
    const start = path.join(planted, 'mine');
    expect(findWorkspace(start, STRANGER).workspace.path).toBe(start);
    expect(findWorkspace(start, STRANGER).refusals[0]).toContain(path.join(planted, '.git'));
    const worktree = inFolder('worktree');
    expect(findWorkspace(worktree, { ...STRANGER, isNamed: true }).workspace.path).toBe(worktree);
  });

  test(`${cites('T54')} the search ends at the repository's top`, () => {
    const nested = path.join(shared, 'clone', 'src');
    mkdirSync(nested, { recursive: true });
    mkdirSync(path.join(shared, 'clone', '.git'));
    expect(workspaceOf(nested)).toEqual({ path: path.join(shared, 'clone'), foundBy: 'git' });
  });

  test.runIf(process.geteuid?.() === 0)(
    `${cites('T54')} owners are the user, the administrator and who called sudo; a link has one of its own`,
    () => {
      const owners = trustedOwners({});
      expect(owners).toEqual([0, 0]);
      expect(trustedOwners({ SUDO_UID: '65534' })).toContain(65_534);
      const mine = inFolder('mine');
      const place = inFolder('linked-baton');
      for (const made of [path.join(mine, '.baton'), place]) mkdirSync(made, { recursive: true });
      symlinkSync(path.join(mine, '.baton'), path.join(place, '.baton'));
      expect(findWorkspace(place, { owners }).workspace.foundBy).toBe('baton-folder');
      lchownSync(path.join(place, '.baton'), 65_534, 65_534);
      expect(findWorkspace(place, { owners }).workspace).toMatchObject({ hasForeignFolder: true });
      expect(
        findWorkspace(place, { owners: trustedOwners({ SUDO_UID: '65534' }) }).workspace.foundBy,
      ).toBe('baton-folder');
      // Its folder is as good as it: whoever owns it can put another one there.
      lchownSync(path.join(place, '.baton'), 0, 0);
      chownSync(place, 65_534, 65_534);
      expect(findWorkspace(place, { owners }).workspace).toMatchObject({ hasForeignFolder: true });
    },
  );
});
