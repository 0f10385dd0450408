import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  addWorktree,
  copyIncluded,
  includePatterns,
  linkFolders,
  resolveCommit,
} from '../src/index.ts';
import { type Files, type Sandbox, sandbox } from './sandbox.ts';

async function prepared(
  box: Sandbox,
  files: Files,
  before: (root: string) => void = () => undefined,
) {
  box.write(box.at('repo'), {});
  mkdirSync(box.at('repo'));
  before(box.at('repo'));
  const repo = await box.repository(files);
  const commit = await resolveCommit(repo, 'HEAD', box.call);
  const worktree = await addWorktree(repo, { path: box.at('w'), commit }, box.call);
  return { repo, worktree, inside: (file: string) => path.join(worktree.path, file) };
}

const IGNORE = '*.env\nconfig/\n*.key\n';

describe('included files', () => {
  test('are copied if they are ignored, whatever they are called', async () => {
    using box = sandbox();
    const { repo, worktree, inside } = await prepared(box, {
      '.gitignore': IGNORE,
      '.worktreeinclude': '# These\n\n*.env\nconfig/\nplain\n!not.env\n',
    });
    box.write(repo.root, {
      '.env': 'A=1',
      'a b/-"x" 🦊.env': 'B=2',
      'config/deep/x': '1',
      'not.env': '1',
      'secret.key': '1',
      plain: 'not ignored',
    });
    chmodSync(path.join(repo.root, '.env'), 0o600);
    const copied = await copyIncluded(repo, worktree, box.call);
    expect([...copied].sort()).toEqual(['.env', 'a b/-"x" 🦊.env', 'config/deep/x']);
    expect(readFileSync(inside('a b/-"x" 🦊.env'), 'utf8')).toBe('B=2');
    if (process.platform !== 'win32') expect(statSync(inside('.env')).mode & 0o777).toBe(0o600);
    expect(['not.env', 'secret.key', 'plain'].some((file) => existsSync(inside(file)))).toBe(false);
    expect(await copyIncluded(repo, worktree, box.call)).toEqual([]);
  });

  test('replace nothing that is tracked', async () => {
    using box = sandbox();
    const { repo, worktree, inside } = await prepared(box, {
      '.gitignore': '',
      '.worktreeinclude': '*.env\n',
      'a.env': 'tracked',
    });
    box.git(repo.root, 'rm', '-q', '--cached', 'a.env');
    box.write(repo.root, { 'a.env': 'local', '.gitignore': '*.env\n' });
    expect(await copyIncluded(repo, worktree, box.call)).toEqual([]);
    expect(readFileSync(inside('a.env'), 'utf8')).toBe('tracked');
  });

  test('are not read or written through links', async () => {
    using box = sandbox();
    box.write(box.path, { 'outside/x.env': 'secret', 'outside/target/y': '' });
    const { repo, worktree } = await prepared(
      box,
      { '.gitignore': IGNORE, '.worktreeinclude': '*.env\n' },
      (root) => {
        // Tracked: they are in the worktree too.
        symlinkSync(box.at('outside/target'), path.join(root, 'out'));
        mkdirSync(path.join(root, 'real'));
        symlinkSync('real', path.join(root, 'in'));
        writeFileSync(path.join(root, 'real/kept'), '');
      },
    );
    symlinkSync(box.at('outside/x.env'), path.join(repo.root, 'link.env'));
    for (const name of ['out', 'in']) {
      rmSync(path.join(repo.root, name));
      box.write(repo.root, { [`${name}/z.env`]: name });
    }
    expect(await copyIncluded(repo, worktree, box.call)).toEqual(['in/z.env']);
    expect(readFileSync(path.join(worktree.path, 'real/z.env'), 'utf8')).toBe('in');
    expect(existsSync(box.at('outside/target/z.env'))).toBe(false);
  });

  test('are not too many', async () => {
    using box = sandbox();
    const { repo, worktree, inside } = await prepared(box, {
      '.gitignore': IGNORE,
      '.worktreeinclude': '*.env\n',
    });
    box.write(repo.root, { 'a.env': '1', 'b.env': '' });
    truncateSync(path.join(repo.root, 'b.env'), 2 * 1024 ** 3);
    await expect(copyIncluded(repo, worktree, box.call)).rejects.toMatchObject({
      code: 'include_too_large',
    });
    expect(existsSync(inside('a.env'))).toBe(false);
  });
});

test('patterns are read from a small regular file', async () => {
  using box = sandbox();
  const repo = await box.repository();
  const file = path.join(repo.root, '.worktreeinclude');
  expect(includePatterns(repo)).toEqual([]);
  writeFileSync(file, '# a\r\n\r\n.env\r\n  \n!b c\n\\#d\n');
  expect(includePatterns(repo)).toEqual(['.env', '!b c', '\\#d']);
  const invalid = expect.objectContaining({ code: 'include_invalid' });
  writeFileSync(file, 'x'.repeat(64 * 1024));
  expect(() => includePatterns(repo)).toThrow(invalid);
  rmSync(file);
  symlinkSync('/etc/passwd', file);
  expect(() => includePatterns(repo)).toThrow(invalid);
  rmSync(file);
  mkdirSync(file);
  expect(() => includePatterns(repo)).toThrow(invalid);
});

describe('folders are linked', () => {
  test('at the same place', async () => {
    using box = sandbox();
    const { repo, worktree, inside } = await prepared(box, { a: '1' });
    box.write(repo.root, { 'node_modules/x': '1', 'apps/-a b/node_modules/y': '1' });
    linkFolders(repo, worktree, ['node_modules', 'apps/-a b/node_modules/']);
    expect(readFileSync(inside('node_modules/x'), 'utf8')).toBe('1');
    expect(readlinkSync(inside('apps/-a b/node_modules'))).toBe(
      path.join(repo.root, 'apps/-a b/node_modules'),
    );
  });

  test('unless they are elsewhere, there already, or no folders', async () => {
    using box = sandbox();
    box.write(box.path, { 'outside/x': '1', 'repo-evil/x': '1' });
    const { repo, worktree } = await prepared(box, { 'there/a': '1', file: '1' }, (root) => {
      symlinkSync(box.at('outside'), path.join(root, 'tracked'));
    });
    rmSync(path.join(repo.root, 'tracked'));
    box.write(repo.root, { 'tracked/sub/x': '1' });
    symlinkSync(box.at('outside'), path.join(repo.root, 'out'));
    symlinkSync(repo.gitDir, path.join(repo.root, 'git'));
    symlinkSync('.', path.join(repo.root, 'self'));
    const names = [
      '',
      '.',
      '..',
      '../outside',
      '../repo-evil',
      'there/../../outside',
      box.at('outside'),
      'C:\\x',
      'C:x',
      '\\\\host\\x',
      '.git',
      '.GIT',
      '.git./x',
      '.git/objects',
      'there/.git',
      'a\0b',
      'missing',
      'file',
      'there',
      'out',
      'git',
      'self',
      'tracked/sub',
    ];
    for (const name of names) {
      expect(() => linkFolders(repo, worktree, [name]), name).toThrow(
        expect.objectContaining({ code: 'link_invalid' }),
      );
    }
    expect(existsSync(box.at('outside/sub'))).toBe(false);
    expect(box.git(worktree.path, 'status', '--porcelain')).toBe('');
  });
});
