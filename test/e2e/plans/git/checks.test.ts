import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cites } from '../../requirements.ts';
import { until } from '../until.ts';
import { edit, GitWorld, phases, read } from './git-world.ts';

test(`${cites('PLAN-CHECKS', 'PLAN-RESUME')} a check that fails keeps the worktree, and the job goes on from a phase`, async () => {
  await using world = new GitWorld();
  const server = world.server('auto');
  const plan = await server.create({
    git: { target: 'next' },
    env: { RAN: path.join(world.folder, 'ran') },
    jobs: [
      {
        id: 'one',
        before: ['test ! -e made.txt'],
        work: 'echo ran >> "$RAN"; echo first > made.txt; echo n=1 >> "$BATON_OUTPUT"',
        checks: ['echo looks; grep second made.txt', 'echo never'],
      },
      { id: 'two', work: 'cat made.txt > copy.txt', needs: ['one'] },
    ],
  });
  const { failed } = await server.ended(plan);
  expect(failed).toMatchObject([{ job: 'one', reason: 'check_failed' }]);
  expect(failed[0].message).toBe('Check 1 of 2 (echo looks; grep second made.txt) exited with 1.');
  expect(await phases(server, plan, 'one')).toBe(
    'prepare:succeeded before:succeeded work:succeeded commit:succeeded checks:failed',
  );
  const { failure } = await server.get(plan, { view: 'failure' });
  expect(failure.jobs[0].steps.at(-1)).toMatchObject({ exitCode: 1, state: 'failed' });
  const { worktree } = failure.jobs[0];
  expect((await server.log(plan, 'one')).text).toContain('--- check 1 of 2: echo looks');

  // Put right by hand: what is there is committed, and checked at that commit.
  const { writeFileSync } = await import('node:fs');
  writeFileSync(path.join(worktree, 'made.txt'), 'second\n');
  await server.control(plan, 'retry', { jobs: ['one'], from: 'checks' });
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  expect(await phases(server, plan, 'one')).toBe(
    'commit:succeeded checks:succeeded checks:succeeded',
  );
  expect(world.lines('../ran')).toEqual(['ran']);
  const { job } = await server.get(plan, { view: 'job', job: 'one' });
  expect(job.outputs).toEqual({ n: '1' });
  expect(world.show('next', 'copy.txt')).toBe('second');
  const { evidence } = await server.get(plan, { view: 'evidence', job: 'one' });
  expect(evidence.jobs[0].steps[1]).toMatchObject({ commit: job.git.commit, exitCode: 0 });
  expect(world.show(job.git.commit, 'made.txt')).toBe('second');
  await world.clean(['main', 'next']);
});

test(`${cites('PLAN-CHECKS')} retries by reason, with new work or new checks, in a clean worktree`, async () => {
  await using world = new GitWorld();
  const server = world.server('auto');
  const plan = await server.create({
    git: { target: 'next' },
    jobs: [
      {
        id: 'twice',
        work: 'echo $BATON_ATTEMPT > n.txt',
        checks: ['test "$(cat n.txt)" = 2'],
        retry: { check_failed: 1 },
      },
      {
        id: 'wrong',
        work: 'echo wrong > w.txt',
        checks: ['grep right w.txt'],
        retry: { timeout: 3 },
      },
      { id: 'strict', work: 'echo strict > s.txt', checks: ['false'] },
    ],
  });
  const { failed } = await server.ended(plan);
  expect(
    failed.map(({ job, attempts }: { job: string; attempts: number }) => [job, attempts]),
  ).toEqual([
    ['wrong', 1],
    ['strict', 1],
  ]);
  expect(await server.story(plan, 'twice')).toBe('failed succeeded');
  await server.control(plan, 'retry', { jobs: ['wrong'], work: 'echo right > w.txt' });
  await server.control(plan, 'retry', { jobs: ['strict'], checks: ['true'] });
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  expect(world.show('next', 'w.txt')).toBe('right');
  await expect(
    server.control(plan, 'retry', { jobs: ['wrong'], from: 'work' }),
  ).rejects.toMatchObject({ code: 'plan_state' });
  await world.clean(['main', 'next']);
});

test(`${cites('PLAN-NO-CHANGES')} a job without changes declares or explains that`, async () => {
  await using world = new GitWorld();
  const server = world.server('auto');
  const plan = await server.create({
    git: { target: 'next' },
    jobs: [
      { id: 'silent', work: 'true' },
      { id: 'declared', work: 'true', noChanges: true },
      { id: 'explained', work: 'echo evidence=nothing to do >> "$BATON_OUTPUT"' },
      { id: 'broken', work: 'echo x > x.txt', noChanges: true },
      { id: 'own-commit', work: 'echo y > y.txt; git add y.txt; git commit -qm mine' },
      { id: 'backwards', work: 'git checkout -q --orphan other; git commit -qm other; echo z > z' },
    ],
  });
  const { failed } = await server.ended(plan);
  expect(
    Object.fromEntries(
      failed.map(({ job, reason }: { job: string; reason: string }) => [job, reason]),
    ),
  ).toEqual({
    silent: 'no_changes',
    broken: 'changes_unexpected',
    backwards: 'commit_refused',
  });
  const { graph } = await server.get(plan, { view: 'graph' });
  expect(graph.states).toMatchObject({
    declared: 'succeeded',
    explained: 'succeeded',
    'own-commit': 'succeeded',
    land: 'blocked',
  });
});

test(`${cites('PLAN-CLEAN')} worktrees of failed and cancelled jobs are kept, and gone once they are cleaned`, async () => {
  await using world = new GitWorld();
  const server = world.server('auto');
  const plan = await server.create({
    git: { target: 'next' },
    jobs: [
      { id: 'fails', work: 'echo x > x.txt; false' },
      { id: 'hangs', work: 'echo y > y.txt; sleep 300' },
    ],
  });
  await until('the first failure', async () => (await server.get(plan)).failed.length === 1);
  await until('the second file', () =>
    world
      .worktrees()
      .some((name) => existsSync(path.join(world.state, 'worktrees', name, 'y.txt'))),
  );
  await server.control(plan, 'cancel');
  await server.ended(plan);
  expect(world.worktrees()).toHaveLength(2);
  const { job } = await server.get(plan, { view: 'job', job: 'hangs' });
  expect(read(path.join(job.git.worktree, 'y.txt'))).toBe('y\n');
  await server.control(plan, 'clean');
  await world.clean(['main']);
  await expect(
    server.control(plan, 'retry', { jobs: ['hangs'], from: 'commit' }),
  ).rejects.toMatchObject({ code: 'worktree_gone' });

  const kept = await server.create({
    git: { keep: 'always' },
    jobs: [{ id: 'one', work: edit(1, 'one') }],
  });
  await server.ended(kept);
  expect(world.worktrees()).toHaveLength(1);
  await server.control(kept, 'delete');
  const branch = `baton/plan-${kept.slice(0, 8)}`;
  // The result is somebody's work: it stays.
  await world.clean(['main', branch]);
});

test(`${cites('PLAN-CHECKS')} checks of a ticket run in a clean worktree at the reported commit`, async () => {
  await using world = new GitWorld();
  const server = world.server('auto');
  const good = world.commit('made.txt', 'good\n');
  world.write('made.txt', 'not committed\n');
  await server.call('ticket_create', {
    title: 'Make it',
    checks: ['grep good made.txt && echo x > leftover.txt', 'test ! -e leftover.txt'],
  });
  const claim = await server.call('ticket_next', {});
  const report = { id: claim.ticket.id, token: claim.token, outcome: 'done', summary: 'made' };
  await expect(
    server.call('ticket_report', { ...report, commit: '1234567' }),
  ).rejects.toMatchObject({ code: 'revision_unknown' });
  const bad = await server.call('ticket_report', {
    ...report,
    commit: world.git('rev-parse', 'HEAD~1'),
  });
  expect(bad).toMatchObject({ state: 'claimed', evidence: { verdict: 'failed', dirty: false } });
  const done = await server.call('ticket_report', { ...report, commit: good.slice(0, 10) });
  expect(done).toMatchObject({
    state: 'done',
    evidence: {
      verdict: 'passed',
      dirty: false,
      commit: good,
      checks: [{ passed: true, exitCode: 0, digest: expect.stringMatching(/^sha256:/) }, {}],
    },
  });
  expect(world.git('status', '--porcelain')).toBe(' M made.txt');
  await world.clean(['main']);
});
