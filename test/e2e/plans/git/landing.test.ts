import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cites } from '../../requirements.ts';
import { edit, GitWorld, lines, read, writeAt } from './git-world.ts';

/** A commit on a branch, without any checkout of it: what another program or person does. */
const userCommit = (world: GitWorld, branch: string, file: string) =>
  [
    `cd '${world.workspace}'`,
    `export HOME='${world.folder}' GIT_INDEX_FILE='${world.folder}/index-of-user'`,
    `git read-tree ${branch}`,
    `git update-index --add --cacheinfo "100644,$(echo user | git hash-object -w --stdin),${file}"`,
    `git update-ref refs/heads/${branch} $(git commit-tree $(git write-tree) -p ${branch} -m user)`,
  ].join(' && ');

const MOMENTS = ['target read', 'target merged', 'target verified', 'plan branch set'];

test.each(MOMENTS)(
  `${cites('PLAN-LANDING')} somebody commits to the target at "%s": both are on it, looked at together`,
  async (moment) => {
    await using world = new GitWorld();
    world.git('branch', 'next');
    const server = world.server('off');
    await world.workerThatMeets(moment, userCommit(world, 'next', 'user.txt'), 'land');
    const plan = await server.create({
      git: { target: 'next', verify: ['ls >> "$SEEN"; echo - >> "$SEEN"'] },
      env: { SEEN: path.join(world.folder, 'seen') },
      jobs: [{ id: 'one', work: edit(1, 'one') }],
    });
    expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
    expect(world.show('next', 'shared.txt')).toMatch(/^one\n/);
    expect(world.files('next')).toContain('user.txt');
    // What landed was looked at, not only what the plan had made.
    const looks = read(path.join(world.folder, 'seen')).split('-\n');
    expect(looks.at(-2)).toContain('user.txt');
    await world.clean(['main', 'next']);
  },
);

test(`${cites('PLAN-LANDING')} a verification that fails on what is there by now lands nothing`, async () => {
  await using world = new GitWorld();
  world.git('branch', 'next');
  const server = world.server('off');
  await world.workerThatMeets('target merged', userCommit(world, 'next', 'user.txt'), 'land');
  const plan = await server.create({
    git: { target: 'next', verify: ['test ! -e user.txt'] },
    jobs: [{ id: 'one', work: edit(1, 'one') }],
  });
  expect(await server.ended(plan)).toMatchObject({
    state: 'failed',
    failed: [{ job: 'land', reason: 'check_failed' }],
  });
  expect(world.show('next', 'shared.txt')).toBe(lines(1, 9).trimEnd());
  // The worktree with both is there to be looked at.
  const { job } = await server.get(plan, { view: 'job', job: 'land' });
  expect(existsSync(path.join(job.git.worktree, 'user.txt'))).toBe(true);
});

test(`${cites('PLAN-LANDING', 'PLAN-CONFLICT')} a target that does not fit is named, and lands once it does`, async () => {
  await using world = new GitWorld();
  const server = world.server('auto');
  const plan = await server.create({
    git: { target: 'next' },
    paused: true,
    jobs: [{ id: 'one', work: edit(5, 'one') }],
  });
  world.git('checkout', '-q', '-b', 'next');
  const theirs = world.commit('shared.txt', lines(1, 9).replace('line 5', 'of the user'));
  world.git('checkout', '-q', 'main');
  // It begins with what is there when it is started.
  await server.control(plan, 'start');
  const { failed } = await server.ended(plan);
  expect(failed).toMatchObject([{ job: 'land', reason: 'merge_conflict' }]);
  expect(failed[0].message).toMatch(/^next and one do not fit together: shared\.txt/);
  expect(world.git('rev-parse', 'next')).toBe(theirs);

  // It is resolved like any other conflict, and somebody commits once more meanwhile.
  const { job } = await server.get(plan, { view: 'job', job: 'land' });
  world.gitIn(job.git.worktree, 'checkout', '--theirs', 'shared.txt');
  world.gitIn(job.git.worktree, 'add', 'shared.txt');
  world.git('checkout', '-q', 'next');
  world.commit('more.txt', 'more\n');
  world.git('checkout', '-q', 'main');
  await server.control(plan, 'retry', { jobs: ['land'], from: 'prepare' });
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  expect(world.show('next', 'shared.txt').split('\n')[4]).toBe('one');
  expect(world.files('next')).toContain('more.txt');
  expect(world.contains('next', theirs)).toBe(true);
  await world.clean(['main', 'next']);
});

test(`${cites('PLAN-LANDING')} a checkout of the target goes with it if it is clean, and stays untouched if it is not`, async () => {
  await using world = new GitWorld();
  const server = world.server('auto');
  world.git('checkout', '-q', '-b', 'next');
  const head = world.git('rev-parse', 'HEAD');
  const create = () =>
    server.create({
      git: { target: 'next', base: 'main' },
      jobs: [{ id: 'one', work: `${edit(1, 'one')}; echo made > made.txt` }],
    });
  world.write('shared.txt', `${lines(1, 9)}unsaved\n`);
  const plan = await create();
  const { failed } = await server.ended(plan);
  expect(failed).toMatchObject([{ job: 'land', reason: 'target_dirty' }]);
  expect(failed[0].message).toContain(world.workspace);
  expect(failed[0].message).toContain('shared.txt');
  expect(read(world.file('shared.txt'))).toBe(`${lines(1, 9)}unsaved\n`);
  expect(world.git('rev-parse', 'next')).toBe(head);

  // A file that is not known to git is somebody's work, too, where it is in the way.
  world.git('checkout', '-q', '--', 'shared.txt');
  world.write('made.txt', 'mine');
  world.write('notes.txt', 'mine');
  await server.control(plan, 'land');
  expect(await server.ended(plan)).toMatchObject({ failed: [{ reason: 'target_dirty' }] });
  expect(read(world.file('made.txt'))).toBe('mine');

  world.git('add', 'notes.txt');
  world.git('commit', '-q', '-m', 'notes');
  world.write('made.txt.mine', read(world.file('made.txt')));
  rmSync(world.file('made.txt'));
  await server.control(plan, 'land');
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  expect(read(world.file('shared.txt'))).toMatch(/^one\n/);
  expect(world.git('status', '--porcelain')).toBe('?? made.txt.mine');
  expect(world.git('symbolic-ref', '--short', 'HEAD')).toBe('next');
  expect(world.files('next')).toContain('notes.txt');

  // The same in another window of the user's, a worktree of hers.
  const window = path.join(world.folder, 'window two');
  world.git('checkout', '-q', 'main');
  world.git('worktree', 'add', '-q', window, 'next');
  const again = await server.create({
    git: { target: 'next' },
    jobs: [{ id: 'two', work: edit(9, 'two') }],
  });
  expect(await server.ended(again)).toMatchObject({ state: 'succeeded' });
  expect(read(path.join(window, 'shared.txt'))).toMatch(/^one\n[\s\S]*two\n$/);
  expect(world.gitIn(window, 'status', '--porcelain')).toBe('');
});

test(`${cites('PLAN-LANDING')} a plan's own branch stays where somebody works on it`, async () => {
  await using world = new GitWorld();
  const server = world.server('auto');
  const window = path.join(world.folder, 'window');
  world.git('checkout', '-q', '-b', 'next');
  const stopped = async (name: string, line: number) => {
    world.write('shared.txt', 'unsaved');
    const git = { target: 'next', base: 'main' };
    const plan = await server.create({ name, git, jobs: [{ id: name, work: edit(line, name) }] });
    expect(await server.ended(plan)).toMatchObject({ failed: [{ reason: 'target_dirty' }] });
    world.git('checkout', '-q', '--', 'shared.txt');
    return { plan, branch: `baton/${name}-${plan.slice(0, 8)}` };
  };
  const landed = async (plan: string) => {
    await server.control(plan, 'land');
    expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
    const { job } = await server.get(plan, { view: 'job', job: 'land' });
    return job.steps.find(({ phase }: { phase: string }) => phase === 'land').note;
  };

  // Somebody has committed to it: that is not the plan's to land, nor to remove.
  const one = await stopped('one', 1);
  world.git('worktree', 'add', '-q', window, one.branch);
  writeAt(window, 'mine.txt', 'mine');
  world.gitIn(window, 'add', 'mine.txt');
  world.gitIn(window, 'commit', '-q', '-m', 'mine');
  const mine = world.gitIn(window, 'rev-parse', 'HEAD');
  expect(await landed(one.plan)).toContain('commits of its own');
  expect(world.git('rev-parse', one.branch)).toBe(mine);
  expect(world.show('next', 'shared.txt')).toMatch(/^one\n/);

  // Or looks at it.
  const two = await stopped('two', 9);
  world.gitIn(window, 'checkout', '-q', two.branch);
  expect(await landed(two.plan)).toContain(window);
  expect(world.gitIn(window, 'status', '--porcelain')).toBe('');
  expect(world.gitIn(window, 'rev-parse', 'HEAD')).toBe(world.git('rev-parse', two.branch));

  const three = await stopped('three', 5);
  expect(await landed(three.plan)).toBeUndefined();
  expect(world.tryGit('rev-parse', '--verify', '-q', three.branch)).toBe(false);
});

test(`${cites('PLAN-LANDING')} the default branch is written to only if that is said`, async () => {
  await using world = new GitWorld();
  const server = world.server('auto');
  const jobs = [{ id: 'one', work: edit(1, 'one') }];
  await expect(server.create({ git: { target: 'main' }, jobs })).rejects.toMatchObject({
    code: 'target_protected',
  });
  // Without a target there is a branch with the result, and nothing else.
  const head = world.git('rev-parse', 'main');
  const verified = path.join(world.folder, 'verified');
  const plan = await server.create({
    name: 'Quiet: one',
    git: { verify: ['echo done >> "$VERIFIED"'] },
    env: { VERIFIED: verified },
    jobs,
  });
  const { git } = await server.ended(plan);
  const [{ branch, landedOn }] = git.repositories;
  expect(branch).toBe(`baton/quiet-one-${plan.slice(0, 8)}`);
  expect(landedOn).toBe(branch);
  expect(world.show(branch, 'shared.txt')).toMatch(/^one\n/);
  expect(world.git('rev-parse', 'main')).toBe(head);

  await expect(server.control(plan, 'land')).rejects.toMatchObject({ code: 'plan_state' });
  // Refused at once: nothing is verified, and the plan is what it was.
  const before = await server.get(plan, { view: 'graph' });
  world.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
  for (const [target, code] of [
    ['main', 'target_protected'],
    ['alias', 'target_protected'],
    ['refs/heads/main', 'target_invalid'],
  ]) {
    await expect(server.control(plan, 'land', { target })).rejects.toMatchObject({ code });
  }
  expect(await server.get(plan, { view: 'graph' })).toEqual(before);
  expect(before.state).toBe('succeeded');
  expect(world.git('rev-parse', 'main')).toBe(head);
  world.git('symbolic-ref', '--delete', 'refs/heads/alias');

  // Nor is anything verified for a branch that has become the default one meanwhile.
  world.git('branch', 'other');
  world.git('config', 'init.defaultBranch', 'other');
  world.commit('user.txt', 'dirty\n');
  world.write('user.txt', 'unsaved\n');
  await server.control(plan, 'land', { target: 'main' });
  expect(await server.ended(plan)).toMatchObject({
    failed: [{ job: 'land-2', reason: 'target_dirty' }],
  });
  world.git('config', '--unset', 'init.defaultBranch');
  world.git('branch', '-D', 'other');
  world.git('checkout', '-q', 'user.txt');
  const looks = world.lines('../verified').length;
  await expect(server.control(plan, 'land')).rejects.toMatchObject({ code: 'target_protected' });
  await server.control(plan, 'retry');
  expect(await server.ended(plan)).toMatchObject({
    failed: [{ job: 'land-2', reason: 'target_protected' }],
  });
  expect(world.lines('../verified')).toHaveLength(looks);
  await server.control(plan, 'land', { target: 'main', intoDefault: true });
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  expect(world.git('rev-parse', 'main')).not.toBe(head);
  expect(read(world.file('shared.txt'))).toMatch(/^one\n/);
  expect(world.git('status', '--porcelain')).toBe('');
  await world.clean(['main']);
});

test(`${cites('PLAN-REPOSITORIES', 'PLAN-LANDING')} jobs in several repositories land in each, one after the other`, async () => {
  await using world = new GitWorld();
  const api = world.file('services/api');
  world.makeRepository(api, { 'api.txt': 'v1\n' });
  world.commit('.gitignore', 'services/\n');
  const server = world.server('auto');
  const plan = await server.create({
    git: { target: 'next' },
    jobs: [
      { id: 'api', repository: 'services/api', work: 'echo v2 > api.txt' },
      { id: 'client', work: 'echo v2 > client.txt', needs: ['api'] },
      { id: 'docs', repository: 'services/api', work: 'cat api.txt > docs.txt', needs: ['client'] },
    ],
  });
  const ended = await server.ended(plan);
  expect(ended).toMatchObject({ state: 'succeeded', jobs: { succeeded: 5 } });
  expect(ended.git.repositories).toMatchObject([
    { repository: '.', landedOn: 'next' },
    { repository: 'services/api', landedOn: 'next' },
  ]);
  // What comes from the same repository goes on through jobs elsewhere.
  expect(world.gitIn(api, 'show', 'next:docs.txt')).toBe('v2');
  expect(world.files('next')).toEqual(['.gitignore', 'README.md', 'client.txt', 'shared.txt']);
  const { graph } = await server.get(plan, { view: 'graph' });
  expect(graph.adjacency['land']).toContain('land-2');
  await world.clean(['main', 'next']);
  await world.clean(['main', 'next'], api);
  await expect(
    server.create({ git: {}, jobs: [{ id: 'one', repository: 'services', work: 'true' }] }),
  ).rejects.toMatchObject({ code: 'repository_missing' });
});
