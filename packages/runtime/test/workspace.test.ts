import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { temporaryFolder } from '@baton/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findWorkspace } from '../src/index.ts';

let folder: ReturnType<typeof temporaryFolder>;
let repository: string;
const inFolder = (...parts: string[]) => path.join(folder.path, ...parts);

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
  expect(findWorkspace(path.join(repository, 'packages', 'app'))).toEqual({
    path: repository,
    foundBy: 'git',
  });
});

test(`${cites('WORKSPACE')} a linked worktree is its main checkout`, () => {
  expect(findWorkspace(inFolder('worktree', 'packages'))).toEqual({
    path: repository,
    foundBy: 'git',
    checkout: inFolder('worktree'),
  });
});

test(`${cites('WORKSPACE')} the nearest .baton wins, and is mapped through a worktree too`, () => {
  mkdirSync(path.join(repository, 'packages', 'app', '.baton'), { recursive: true });
  mkdirSync(inFolder('worktree', 'packages', 'app', '.baton'), { recursive: true });
  const app = path.join(repository, 'packages', 'app');
  expect(findWorkspace(app)).toEqual({ path: app, foundBy: 'baton-folder' });
  expect(findWorkspace(inFolder('worktree', 'packages', 'app')).path).toBe(app);
  expect(findWorkspace(path.join(repository, 'packages')).path).toBe(repository);
});

test(`${cites('WORKSPACE')} a plain folder is itself, by its real path`, () => {
  mkdirSync(inFolder('plain'));
  symlinkSync(inFolder('plain'), inFolder('link'));
  expect(findWorkspace(inFolder('link'))).toEqual({ path: inFolder('plain'), foundBy: 'folder' });
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
    expect(findWorkspace(inFolder(name)).path).toBe(inFolder(name));
  }
});

test(`${cites('WORKSPACE')} a .git that is a pipe or a loop is not waited for`, () => {
  mkdirSync(inFolder('pipe'));
  execFileSync('mkfifo', [inFolder('pipe', '.git')]);
  expect(findWorkspace(inFolder('pipe')).path).toBe(inFolder('pipe'));
  mkdirSync(inFolder('loop'));
  symlinkSync('.git', inFolder('loop', '.git'));
  expect(findWorkspace(inFolder('loop'))).toEqual({ path: inFolder('loop'), foundBy: 'folder' });
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
