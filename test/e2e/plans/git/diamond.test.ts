import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cites } from '../../requirements.ts';
import { until } from '../until.ts';
import { edit, GitWorld, lines, phases, read } from './git-world.ts';

const top = { id: 'top', work: 'echo top > top.txt', checks: ['test -f top.txt'] };

test(`${cites('PLAN-WORKTREES', 'PLAN-CHECKS', 'PLAN-LANDING')} a diamond is worked on side by side, checked and landed`, async () => {
  await using world = new GitWorld();
  const server = world.server('auto');
  const head = world.git('rev-parse', 'HEAD');
  world.write('unsaved.txt', 'of the user\n');
  const plan = await server.create({
    name: 'Diamond',
    git: { target: 'next', verify: ['grep -q left shared.txt && grep -q right shared.txt'] },
    jobs: [
      top,
      { id: 'left', work: edit(1, 'left'), needs: ['top'], checks: ['grep left shared.txt'] },
      { id: 'right', work: edit(9, 'right'), needs: ['top'] },
      { id: 'bottom', work: 'cat top.txt shared.txt > all.txt', needs: ['left', 'right'] },
    ],
  });
  expect(await server.ended(plan)).toMatchObject({
    state: 'succeeded',
    jobs: { total: 5, succeeded: 5 },
    git: { target: 'next', repositories: [{ base: head, landedOn: 'next' }] },
  });
  expect(world.show('next', 'all.txt')).toBe(
    ['top', 'left', ...lines(2, 8).trimEnd().split('\n'), 'right'].join('\n'),
  );
  // The user's own checkout and branch are as they were.
  expect(world.git('rev-parse', 'HEAD')).toBe(head);
  expect(world.git('status', '--porcelain')).toBe('?? unsaved.txt');
  expect(await phases(server, plan, 'left')).toBe(
    'prepare:succeeded work:succeeded commit:succeeded checks:succeeded',
  );
  expect(await phases(server, plan, 'land')).toBe(
    'prepare:succeeded checks:succeeded land:succeeded',
  );

  // What a check has shown is kept, with the commit that it is about.
  const { evidence } = await server.get(plan, { view: 'evidence', job: 'left' });
  const { job } = await server.get(plan, { view: 'job', job: 'left' });
  expect(evidence.jobs[0].steps[3]).toMatchObject({
    phase: 'checks',
    command: 'grep left shared.txt',
    exitCode: 0,
    commit: job.git.commit,
    digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
  });
  expect(world.git('log', '-1', '--format=%B', job.git.commit)).toContain(`Baton-Plan: ${plan}`);

  // Numbers first, then the patch.
  const { diff } = await server.get(plan, { view: 'diff' });
  expect(diff.stats[0]).toMatchObject({ files: 3, branch: 'next', from: head });
  const { diff: patch } = await server.get(plan, { view: 'diff', job: 'left', from: 0 });
  expect(patch.patch).toContain('+left');
  expect(patch.patch).not.toContain('+right');
  await world.clean(['main', 'next']);
  await until('its last step', async () => {
    const { job: cleaned } = await server.get(plan, { view: 'job', job: 'left' });
    return cleaned.steps.at(-1).phase === 'clean-up';
  });
});

test(`${cites('PLAN-CONFLICT')} a conflict names files, lines and jobs, blocks what depends on it, and is resolved in the kept worktree`, async () => {
  await using world = new GitWorld();
  const server = world.server('auto');
  const plan = await server.create({
    git: { target: 'next' },
    jobs: [
      { id: 'left', work: edit(5, 'left') },
      { id: 'right', work: edit(5, 'right') },
      { id: 'both', work: 'cp shared.txt both.txt', needs: ['left', 'right'] },
      { id: 'alone', work: 'echo alone > alone.txt' },
    ],
  });
  const { state, failed } = await server.ended(plan);
  expect(state).toBe('failed');
  expect(failed).toMatchObject([{ job: 'both', reason: 'merge_conflict' }]);
  expect(failed[0].message).toMatch(/left and right.*shared\.txt \(content, line 5\)/);
  expect(await server.get(plan, { view: 'graph' })).toMatchObject({
    graph: { states: { alone: 'succeeded', both: 'failed', land: 'blocked' } },
  });
  const { failure } = await server.get(plan, { view: 'failure' });
  const [step] = failure.jobs[0].steps;
  expect(step.conflict).toMatchObject({
    jobs: ['left', 'right'],
    files: [{ path: 'shared.txt', hunks: [{ line: 5 }] }],
  });
  expect(step.conflict.files[0].hunks[0].text).toMatch(/left[\s\S]*=======[\s\S]*right/);

  // As it is, it cannot go on.
  const { worktree } = step.conflict;
  expect(read(path.join(worktree, 'shared.txt'))).toContain('<<<<<<<');
  await server.control(plan, 'retry', { jobs: ['both'], from: 'prepare' });
  expect(await server.ended(plan)).toMatchObject({
    failed: [{ reason: 'merge_conflict', message: expect.stringContaining('shared.txt') }],
  });
  world.gitIn(worktree, 'checkout', '--theirs', 'shared.txt');
  world.gitIn(worktree, 'add', 'shared.txt');
  await server.control(plan, 'retry', { jobs: ['both'], from: 'prepare' });
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  expect(world.show('next', 'both.txt')).toContain('right');
  expect(world.files('next')).toContain('alone.txt');
  expect(existsSync(worktree)).toBe(false);
  await world.clean(['main', 'next']);
});

test(`${cites('PLAN-CONFLICT')} leaves that do not fit together stop the landing, and nothing else`, async () => {
  await using world = new GitWorld();
  const server = world.server('auto');
  const plan = await server.create({
    git: { target: 'next' },
    jobs: [
      { id: 'one', work: edit(5, 'one') },
      { id: 'two', work: edit(1, 'two') },
      { id: 'three', work: edit(5, 'three') },
    ],
  });
  const { failed } = await server.ended(plan);
  expect(failed).toMatchObject([{ job: 'land', reason: 'merge_conflict' }]);
  expect(failed[0].message).toMatch(/^one and three do not fit together/);
  expect(world.git('branch', '--list', 'next', 'baton/*')).toBe('');
  // With other work the same plan lands.
  await expect(
    server.control(plan, 'retry', { jobs: ['three'], work: edit(9, 'three') }),
  ).rejects.toMatchObject({ code: 'job_state' });
  const { job } = await server.get(plan, { view: 'job', job: 'land' });
  world.gitIn(job.git.worktree, 'checkout', '--ours', 'shared.txt');
  world.gitIn(job.git.worktree, 'add', 'shared.txt');
  await server.control(plan, 'retry', { jobs: ['land'], from: 'prepare' });
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  expect(world.show('next', 'shared.txt').split('\n')).toMatchObject({ 0: 'two', 4: 'one' });
  await world.clean(['main', 'next']);
});

test(`${cites('PLAN-TOUCHES')} jobs that touch the same go on with each other's results`, async () => {
  await using world = new GitWorld();
  const server = world.server('auto');
  const plan = await server.create({
    git: { target: 'next' },
    jobs: [
      { id: 'one', work: edit(5, 'one'), touches: ['*.txt'] },
      { id: 'two', work: `${edit(5, 'two')}; echo more > more.md`, touches: ['shared.txt'] },
      { id: 'docs', work: 'echo more >> README.md', touches: ['**/*.md'] },
    ],
  });
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  const { job } = await server.get(plan, { view: 'job', job: 'two' });
  expect(job).toMatchObject({ needs: ['one'], git: { apart: ['one'] } });
  // What a job has changed beside what it said is told.
  expect(job.steps[2]).toMatchObject({ note: expect.stringContaining('more.md') });
  expect(world.show('next', 'shared.txt').split('\n')[4]).toBe('two');
  await world.clean(['main', 'next']);
});
