import { existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cites } from '../../requirements.ts';
import { edit, GitWorld, read, writeAt } from './git-world.ts';

const one = { id: 'one', work: edit(1, 'one') };

test(`${cites('T6', 'PLAN-WORKTREES')} a filter of the repository needs a person's trust, the user's own runs`, async () => {
  await using world = new GitWorld();
  const canary = path.join(world.folder, 'canary');
  // Like git-lfs: what is committed is not what is in the folder.
  world.gitIn(world.folder, 'config', '--global', 'filter.rot.clean', 'tr a-z n-za-m');
  world.gitIn(world.folder, 'config', '--global', 'filter.rot.smudge', 'tr a-z n-za-m');
  world.write('.gitattributes', '*.rot filter=rot\n*.own filter=own\n');
  world.write('text.rot', 'hello\n');
  world.git('add', '-A');
  world.git('commit', '-q', '-m', 'filtered');
  expect(world.git('cat-file', 'blob', 'HEAD:text.rot')).toBe('uryyb');
  const server = world.server('auto');
  const jobs = [{ id: 'more', work: 'grep -q hello text.rot && echo world >> text.rot' }];
  const plan = await server.create({ git: { target: 'next' }, jobs });
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  expect(world.git('cat-file', 'blob', 'next:text.rot')).toBe('uryyb\njbeyq');

  const smudge = `sh -c 'touch ${canary}; cat'`;
  world.git('config', 'filter.own.smudge', smudge);
  await expect(server.create({ git: {}, jobs })).rejects.toMatchObject({ code: 'not_trusted' });
  const granted = await world.baton('trust', 'grant', '.git/config', '--yes');
  expect(granted.stdout).toContain(smudge);
  expect(granted.status).toBe(0);
  const trusted = await server.create({ git: {}, jobs });
  expect(await server.ended(trusted)).toMatchObject({ state: 'succeeded' });
  // Another byte, another question: also for a plan that exists already.
  const waits = await server.create({ git: {}, jobs, paused: true });
  world.git('config', 'filter.own.smudge', `${smudge} `);
  await expect(server.create({ git: {}, jobs })).rejects.toMatchObject({ code: 'not_trusted' });
  await server.control(waits, 'start');
  expect(await server.ended(waits)).toMatchObject({ failed: [{ reason: 'not_trusted' }] });
  expect(existsSync(canary)).toBe(false);
});

test(`${cites('T6', 'T10', 'PLAN-WORKTREES')} .worktreeinclude copies ignored files once it is trusted, and through no link`, async () => {
  await using world = new GitWorld();
  world.write('.gitignore', '.env\nsecrets\nnode_modules\n');
  world.write('.worktreeinclude', '.env\nsecrets\nshared.txt\n');
  world.git('add', '-A');
  world.git('commit', '-q', '-m', 'include');
  world.write('.env', 'KEY=value\n');
  world.write('node_modules/tool/index.js', 'tool\n');
  writeAt(world.folder, 'outside/passwd', 'root\n');
  symlinkSync(path.join(world.folder, 'outside'), world.file('secrets'));
  const server = world.server('auto');
  const git = { setup: ['echo ready > ready.tmp'], link: ['node_modules'] };
  const jobs = [
    {
      id: 'look',
      work: 'ls -a > list.txt; cat .env node_modules/tool/index.js ready.tmp > both.txt; rm ready.tmp',
    },
  ];
  await expect(server.create({ git, jobs })).rejects.toMatchObject({ code: 'not_trusted' });
  await world.baton('trust', 'grant', '.worktreeinclude', '--yes');
  const plan = await server.create({ git, jobs });
  const ended = await server.ended(plan);
  expect(ended).toMatchObject({ state: 'succeeded' });
  const { branch } = ended.git.repositories[0];
  expect(world.show(branch, 'both.txt')).toBe('KEY=value\ntool\nready');
  expect(world.show(branch, 'list.txt')).not.toContain('secrets');
  expect(world.files(branch)).not.toContain('.env');
  expect(world.files(branch)).not.toContain('node_modules');
  expect(read(world.file('node_modules/tool/index.js'))).toBe('tool\n');

  // A link in the repository that leads out of it is not followed.
  symlinkSync(world.folder, world.file('away'));
  for (const link of ['away', 'away/outside', '../outside', '.git', '/etc']) {
    const wrong = server.create({ git: { ...git, link: [link] }, jobs }).then(
      async (id) => (await server.ended(id)).failed[0].reason,
      ({ code, message }) => code ?? message,
    );
    expect(await wrong, link).toMatch(/setup_failed|invalid_input/);
  }
});

test(`${cites('PLAN-WORKTREES')} a detached head, an unborn branch, no repository at all`, async () => {
  await using world = new GitWorld();
  const server = world.server('auto');
  world.commit('second.txt', 'second\n');
  world.git('checkout', '-q', '--detach', 'HEAD~1');
  const plan = await server.create({ git: {}, jobs: [one] });
  const ended = await server.ended(plan);
  expect(ended).toMatchObject({ state: 'succeeded' });
  expect(world.files(ended.git.repositories[0].branch)).not.toContain('second.txt');
  for (const base of ['main', 'HEAD', 'refs/heads/main']) {
    expect(await server.create({ git: { base }, jobs: [one], paused: true })).toBeTypeOf('string');
  }
  await expect(server.create({ git: { base: 'nowhere' }, jobs: [one] })).rejects.toMatchObject({
    code: 'revision_unknown',
  });
  const empty = world.file('empty');
  world.write('empty/readme', '');
  world.gitIn(empty, 'init', '-q');
  const inEmpty = { git: {}, jobs: [{ ...one, repository: 'empty' }] };
  await expect(server.create(inEmpty)).rejects.toMatchObject({ code: 'repository_empty' });
  await expect(
    server.create({ git: {}, jobs: [{ ...one, repository: 'nothing/there' }] }),
  ).rejects.toMatchObject({ code: 'repository_missing' });
  await expect(server.create({ jobs: [{ ...one, checks: ['true'] }] })).rejects.toMatchObject({
    code: 'git_needed',
  });
  await expect(
    server.create({ git: {}, jobs: [{ id: 'land', work: 'true' }] }),
  ).rejects.toMatchObject({ code: 'job_id_reserved' });
});

test(`${cites('PLAN-WORKTREES')} a shallow clone with a submodule keeps both as they are`, async () => {
  await using world = new GitWorld();
  const library = path.join(world.folder, 'library');
  world.makeRepository(library, { 'lib.txt': 'lib\n' });
  world.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', library, 'lib');
  world.git('commit', '-q', '-m', 'submodule');
  world.commit('third.txt', 'third\n');
  const upstream = path.join(world.folder, 'upstream.git');
  world.git('clone', '-q', '--bare', world.workspace, upstream);
  const clone = world.file('shallow');
  world.git('clone', '-q', '--depth', '1', `file://${upstream}`, clone);
  world.git('config', '--global', 'advice.addEmbeddedRepo', 'false');
  world.write('.git/info/exclude', 'shallow\n');
  const server = world.server('auto');
  const jobs = [
    { id: 'one', work: edit(1, 'one') },
    { id: 'two', repository: 'shallow', work: edit(9, 'two') },
    { id: 'three', repository: 'shallow', work: edit(1, 'three') },
  ];
  const plan = await server.create({ git: { target: 'next' }, jobs });
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  const link = (folder: string, branch: string) => world.gitIn(folder, 'ls-tree', branch, 'lib');
  expect(link(world.workspace, 'next')).toBe(link(world.workspace, 'main'));
  expect(link(world.workspace, 'next')).toMatch(/^160000 commit/);
  expect(link(clone, 'next')).toBe(link(world.workspace, 'main'));
  expect(world.gitIn(clone, 'show', 'next:shared.txt')).toMatch(/^three\n[\s\S]*two$/);
  await world.clean(['main', 'next']);
  await world.clean(['main', 'next'], clone);
});

test(`${cites('PLAN-WORKTREES', 'T12')} names with spaces, quotes, emoji and dashes`, async () => {
  await using world = new GitWorld();
  const names = [
    '-rf',
    '--output=x',
    'a b',
    `it's "quoted"`,
    '🎉 party',
    '$(touch x)',
    'ümlaut',
    '-',
  ];
  const server = world.server('auto');
  const jobs = names.map((name, index) => ({
    id: `job-${index}`,
    name,
    work: {
      type: 'process',
      executable: 'node',
      args: ['-e', 'fs.writeFileSync(process.argv[1], process.argv[1])', '--', `${name}.txt`],
    },
    touches: [`${name}.txt`],
  }));
  const target = 'feature/"quoted"-🎉';
  const plan = await server.create({ name: '--upload-pack=touch x', git: { target }, jobs });
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  const wanted = names.map((name) => `${name}.txt`);
  expect(
    world
      .files(target)
      .filter((file) => wanted.includes(file))
      .sort(),
  ).toEqual(wanted.sort());
  const { diff } = await server.get(plan, { view: 'diff' });
  expect(diff.stats[0].paths.map(({ path: file }: { path: string }) => file).sort()).toEqual(
    wanted,
  );
  await world.clean(['main', target]);
});

test(`${cites('T5')} no name of a branch or commit becomes an option of git`, async () => {
  await using world = new GitWorld();
  const server = world.server('auto');
  const canary = path.join(world.folder, 'canary');
  const hostile = [
    `--output=${canary}`,
    `--upload-pack=touch ${canary}`,
    '-x',
    'a..b',
    'a b',
    'x.lock',
    '../x',
    '@{-1}',
    'HEAD^{/first}',
    ':/first',
    'refs/heads/../../x',
    `$(touch ${canary})`,
    'a\nb',
  ];
  for (const name of hostile) {
    for (const git of [{ base: name }, { target: name }]) {
      await expect(server.create({ git, jobs: [one] }), name).rejects.toThrow();
    }
    await expect(
      server.create({ git: {}, jobs: [{ ...one, repository: name }] }),
    ).rejects.toThrow();
  }
  expect(existsSync(canary)).toBe(false);
  expect(world.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
});
