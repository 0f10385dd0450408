import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { layGitTraps } from '@baton/testkit';
import { expect, test } from 'vitest';
import { cites } from '../../requirements.ts';
import { edit, GitWorld, lines } from './git-world.ts';

test(`${cites('PLAN-WORKTREES', 'T6', 'T50')} nothing that the repository sets up for git runs in the whole life of a plan`, async () => {
  await using world = new GitWorld();
  const traps = layGitTraps(world.file('.git'), path.join(world.folder, 'traps'));
  const server = world.server('auto');
  const jobs = [
    { id: 'one', work: edit(1, 'one'), checks: ['true'] },
    { id: 'two', work: edit(1, 'two'), checks: ['true'] },
    { id: 'three', work: edit(9, 'three'), needs: ['one'] },
  ];
  const git = { target: 'main', intoDefault: true, setup: ['true'], verify: ['true'] };
  const plan = await server.create({ git, jobs });
  const { failed } = await server.ended(plan);
  expect(failed).toMatchObject([{ job: 'land', reason: 'merge_conflict' }]);
  const { job } = await server.get(plan, { view: 'job', job: 'land' });
  expect(traps.tripped()).toEqual([]);
  // A person resolves it, and what lands goes into a checkout.
  const resolved = lines(1, 9).replace('line 1', 'both').replace('line 9', 'three');
  writeFileSync(path.join(job.git.worktree, 'shared.txt'), resolved);
  await server.control(plan, 'retry', { jobs: ['land'], from: 'prepare' });
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  const { diff } = await server.get(plan, { view: 'diff' });
  expect(diff.stats[0].paths).toMatchObject([{ path: 'shared.txt' }]);
  await server.control(plan, 'delete');
  expect(traps.tripped()).toEqual([]);
  expect(world.show('main', 'shared.txt')).toBe(resolved.trimEnd());
  await world.clean(['main']);
});

/** A filter that leaves a trace, as a section of git's settings. */
function filterOf(world: GitWorld) {
  const canary = path.join(world.folder, 'canary');
  const command = `touch '${canary}'; cat`;
  const text = `[filter "trap"]\n\tclean = "${command}"\n\tsmudge = "${command}"\n`;
  world.commit('.gitattributes', '* filter=trap\n');
  return { text, hasRun: () => existsSync(canary) };
}

const refusedAt = (job: string) => ({ failed: [{ job, reason: 'not_trusted' }] });

test(`${cites('T50', 'T6', 'PLAN-WORKTREES')} settings that git reads in a worktree only are refused before it has files`, async () => {
  await using world = new GitWorld();
  const { text, hasRun } = filterOf(world);
  world.write('.git/more', text);
  world.git('config', 'includeIf.gitdir:**/worktrees/**.path', 'more');
  const server = world.server('auto');
  const plan = await server.create({ git: {}, jobs: [{ id: 'one', work: edit(1, 'one') }] });
  const ended = await server.ended(plan);
  expect(ended).toMatchObject(refusedAt('one'));
  expect(ended.failed[0].message).toContain('filter.trap.clean, which is set for some worktrees');
  expect(hasRun()).toBe(false);
  expect(world.worktrees()).toEqual([]);

  // Said openly and approved, it runs in the same worktrees.
  appendFileSync(world.file('.git/config'), text);
  await world.baton('trust', 'grant', '.git/config', '--yes');
  await server.control(plan, 'retry', { jobs: ['one'] });
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  expect(hasRun()).toBe(true);
});

test(`${cites('T50', 'T6', 'PLAN-WORKTREES')} settings that a job changes are refused before its work is committed`, async () => {
  await using world = new GitWorld();
  const { text, hasRun } = filterOf(world);
  world.write('trap.txt', text);
  world.git('config', 'extensions.worktreeConfig', 'true');
  const server = world.server('auto');
  const work = (file: string) => `cat '${world.file('trap.txt')}' >> "${file}"; echo x > x.txt`;
  const own = '$(git rev-parse --git-dir)/config.worktree';
  const jobs = [{ id: 'own', work: work(own), retry: 'never' }];
  const first = await server.create({ git: { keep: 'never' }, jobs });
  expect(await server.ended(first)).toMatchObject(refusedAt('own'));
  // Of the repository itself: for all who come after it, too.
  const all = { id: 'all', work: work(world.file('.git/config')), retry: 'never' };
  const later = { id: 'later', work: edit(1, 'x'), retry: 'never' };
  const second = await server.create({ git: {}, maxParallel: 1, jobs: [all, later] });
  const { failed } = await server.ended(second);
  expect(failed).toMatchObject([...refusedAt('all').failed, ...refusedAt('later').failed]);
  const again = server.create({ git: {}, jobs: [later] });
  await expect(again).rejects.toMatchObject({ code: 'not_trusted' });
  expect(hasRun()).toBe(false);
});
