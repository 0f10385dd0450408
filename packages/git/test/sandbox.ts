import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@baton/testkit';
import { findRepository, type GitCall, type Repository } from '../src/index.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;

export interface Sandbox extends Disposable {
  readonly path: string;
  readonly home: string;
  readonly call: GitCall;
  at(...parts: readonly string[]): string;
  write(folder: string, files: Files): void;
  /** As a person runs it; answers what it printed. */
  git(folder: string, ...args: readonly string[]): string;
  /** A repository with one commit of these files, on the branch main. */
  repository(files?: Files, name?: string): Promise<Repository>;
  /** The new commit. */
  commit(folder: string, files: Files, message?: string): string;
}

const IDENTITY =
  '[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n';

/** A home of its own, so that no settings of whoever runs the tests count. */
export function sandbox(config: string = IDENTITY): Sandbox {
  const folder = temporaryFolder();
  const home = path.join(folder.path, 'home');
  mkdirSync(home);
  writeFileSync(path.join(home, '.gitconfig'), config);
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, USERPROFILE: home };
  const at = (...parts: readonly string[]) => path.join(folder.path, ...parts);
  const git = (where: string, ...args: readonly string[]) =>
    execFileSync('git', ['-C', where, ...args], {
      env: { ...env, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).replace(/\n$/, '');
  const write = (where: string, files: Files) => {
    for (const [file, content] of Object.entries(files)) {
      const full = path.join(where, file);
      mkdirSync(path.dirname(full), { recursive: true });
      writeFileSync(full, content);
    }
  };
  const commit = (where: string, files: Files, message = 'a change') => {
    write(where, files);
    git(where, 'add', '-A', '--', '.');
    const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    git(where, ...person, 'commit', '-q', '--allow-empty', '-m', message);
    return git(where, 'rev-parse', 'HEAD');
  };
  const call: GitCall = { env };
  return {
    path: folder.path,
    home,
    call,
    at,
    write,
    git,
    commit,
    async repository(files = { 'a.txt': 'one\n' }, name = 'repo') {
      const root = at(name);
      mkdirSync(root, { recursive: true });
      git(root, 'init', '-q', '-b', 'main');
      commit(root, files, 'first');
      return findRepository(root, call);
    },
    [Symbol.dispose]: folder[Symbol.dispose],
  };
}
