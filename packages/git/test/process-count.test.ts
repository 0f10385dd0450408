import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as git from '../src/index.ts';
import { sandbox } from './sandbox.ts';

// Each costs milliseconds, and a plan has many jobs.
test.skipIf(process.platform === 'win32')(
  'operations start no more processes than needed',
  async () => {
    using box = sandbox();
    const repo = await box.repository();
    const start = box.git(repo.root, 'rev-parse', 'HEAD');
    const log = box.at('calls');
    const real = box.git(repo.root, '--exec-path');
    mkdirSync(box.at('bin'));
    writeFileSync(
      box.at('bin/git'),
      `#!/bin/sh\necho "$BATON_JOB" >> '${log}'\nexec '${real}/git' "$@"\n`,
      {
        mode: 0o755,
      },
    );
    const env = { ...box.call.env, PATH: `${box.at('bin')}:${box.call.env['PATH']}` };
    const call = { env, trackingId: 'job-1' };
    const counted = async <T>(work: () => Promise<T>): Promise<readonly [T, number]> => {
      rmSync(log, { force: true });
      const result = await work();
      const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
      expect(lines.every((line) => line === 'job-1')).toBe(true);
      return [result, lines.length];
    };
    await git.gitVersion({ env });
    expect((await counted(() => git.findRepository(repo.root, call)))[1]).toBe(1);
    // Settings are read again when they have changed.
    const looking = async () => (await counted(() => git.localCommands(repo, call)))[1];
    expect([await looking(), await looking()]).toEqual([1, 0]);
    const [worktree, adding] = await counted(() =>
      git.addWorktree(repo, { path: box.at('w'), commit: start }, call),
    );
    expect(adding).toBe(2);
    expect((await counted(() => git.headOf(worktree, call)))[1]).toBe(0);
    box.write(worktree.path, { 'new.txt': '1' });
    const options = { start, message: 'x', except: ['y'] };
    const [{ commit }, committing] = await counted(() =>
      git.commitAll(worktree, options, repo, call),
    );
    expect(committing).toBe(2);
    const theirs = box.commit(repo.root, { 'other.txt': '1' });
    const merging = { ours: commit, theirs, message: 'x' };
    expect((await counted(() => git.mergeCommits(repo, merging, call)))[1]).toBe(3);
    const apart = { ...merging, areIndependent: true };
    expect((await counted(() => git.mergeCommits(repo, apart, call)))[1]).toBe(2);
    expect((await counted(() => git.predictConflicts(repo, commit, theirs, call)))[1]).toBe(1);
    box.git(repo.root, 'config', 'user.x', 'y');
    expect(await looking()).toBe(1);
    expect((await counted(() => git.independent(repo, [start, start], call)))[1]).toBe(0);
    expect((await counted(() => git.removeWorktree(repo, worktree.path, call)))[1]).toBe(0);
    expect(path.isAbsolute(worktree.gitDir)).toBe(true);
  },
);
