import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cites } from '../../requirements.ts';
import { GitWorld } from './git-world.ts';

/** What jobs may do to their worktree, and how that ends. */
const DOINGS: Readonly<Record<string, readonly [work: string, outcome: string | RegExp]>> = {
  'is-gone': ['cd .. && rm -rf "$OLDPWD"', /commit_refused|git_failed|worktree_gone|internal/],
  'no-git': ['rm .git; echo x > x.txt', 'succeeded'],
  'other-git': ['rm .git; git init -q .; echo y > y.txt', /commit_refused|git_failed|succeeded/],
  nested: ['git init -q sub; cd sub; echo z > z; git add z; git commit -qm z', 'commit_refused'],
  locked: ['git worktree lock .; echo l > l.txt', 'succeeded'],
  closed: ['mkdir shut; echo s > shut/s.txt; chmod 500 shut', 'succeeded'],
  'on-main': ['git checkout -q -B side; echo b > b.txt', 'succeeded'],
  'half-merge': [
    'git config user.x y; echo m > m.txt; touch "$(git rev-parse --git-dir)/index.lock"',
    /git_failed|commit_refused/,
  ],
  links: ['ln -s / out; ln -s ../../.. up; echo k > k.txt', 'succeeded'],
};

test(`${cites('PLAN-WORKTREES', 'PLAN-CLEAN', 'T10')} whatever a job does to its worktree has a name, harms no other and is cleaned up`, async () => {
  await using world = new GitWorld();
  const server = world.server('auto');
  const head = world.git('rev-parse', 'main');
  const plan = await server.create({
    git: { target: 'next', keep: 'never' },
    maxParallel: 2,
    jobs: Object.entries(DOINGS).map(([id, [work]]) => ({ id, work, retry: 'never' })),
  });
  await server.ended(plan);
  const { list } = await server.get(plan, { view: 'jobs' });
  for (const { id, state, reason } of list.jobs) {
    const wanted = DOINGS[id]?.[1];
    if (wanted !== undefined) expect(`${id} ${reason ?? state}`).toMatch(wanted);
  }
  expect(world.git('rev-parse', 'main')).toBe(head);
  expect(world.git('status', '--porcelain')).toBe('');
  await server.control(plan, 'delete');
  const branches = world.git('branch', '--format=%(refname:short)').split('\n');
  await world.clean(branches);
});

test(`${cites('PLAN-WORKTREES')} a git that is missing or too old is named before anything happens`, async () => {
  await using world = new GitWorld();
  const jobs = [{ id: 'one', work: 'true' }];
  const tools = path.join(world.folder, 'tools');
  mkdirSync(tools);
  const node = path.dirname(process.execPath);
  writeFileSync(path.join(tools, 'git'), '#!/bin/sh\necho git version 2.30.1\n', { mode: 0o755 });
  const old = world.server('off', { env: { PATH: `${tools}:/bin` } });
  await expect(old.create({ git: {}, jobs })).rejects.toMatchObject({ code: 'git_too_old' });
  const none = world.server('off', {
    env: { PATH: node === '/usr/bin' ? tools.slice(0, -1) : node },
  });
  await expect(none.create({ git: {}, jobs })).rejects.toMatchObject({ code: 'git_missing' });
});
