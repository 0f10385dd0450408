import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';
import { gitHooksFolder } from '../src/git-hooks-folder.ts';

function repository() {
  const place = temporaryFolder();
  const top = path.join(realpathSync(place.path), 'repo');
  mkdirSync(top);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: top, stdio: 'pipe' });
  git('init', '-q');
  return { top, git, [Symbol.dispose]: () => place[Symbol.dispose]() };
}

test.each([
  ['tools/hooks', 'tools/hooks'],
  ['a b/#c', 'a b/#c'],
  ['"odd"\\x', '"odd"\\x'],
  ['/elsewhere', '/elsewhere'],
])(`${cites('T53')} the folder that git is told to take hooks from: %s`, (value, expected) => {
  using repo = repository();
  const { top, git } = repo;
  expect(gitHooksFolder(top)).toBeUndefined();
  git('config', 'core.hooksPath', 'earlier');
  git('config', '--replace-all', 'Core.HOOKSpath', value);
  mkdirSync(path.join(top, 'deep', 'er'), { recursive: true });
  for (const folder of [top, path.join(top, 'deep', 'er')])
    expect(gitHooksFolder(folder)).toBe(path.resolve(top, expected));
});

test(`${cites('T53')} in a linked worktree the settings are those of the repository, and paths its own`, () => {
  using repo = repository();
  const { top, git } = repo;
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  git(...who, 'commit', '-q', '--allow-empty', '-m', 'one');
  git('worktree', 'add', '-q', '../linked');
  git('config', 'core.hooksPath', 'tools/hooks');
  const linked = path.join(path.dirname(top), 'linked');
  expect(gitHooksFolder(linked)).toBe(path.join(linked, 'tools', 'hooks'));
});

test(`${cites('T53')} however a person has written it`, () => {
  using repo = repository();
  const { top, git } = repo;
  appendFileSync(path.join(top, '.git', 'config'), '[core] hooksPath = "a#b"/c ; for all\n');
  const asGit = String(git('config', 'core.hooksPath')).trim();
  expect(gitHooksFolder(top)).toBe(path.join(top, asGit));
  expect(asGit).toBe('a#b/c');
});
