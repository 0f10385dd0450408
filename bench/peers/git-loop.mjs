// What a plan with git is measured against: the same work in worktrees, and the same merges, by a
// script of bare git commands. It begins when it is sent a line, and says how long it took.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

const { repository, base, jobs, parallel } = JSON.parse(process.argv[2]);
const TRIES = 200;
const PAUSE_MS = 5;

async function run(cwd, [file, ...args]) {
  const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${file} ${args.join(' ')}: exit ${code}`);
  return output.trim();
}

// Done again where git fails: it does as long as another worktree is just being made or removed.
async function git(cwd, ...args) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run(cwd, ['git', ...args]);
    } catch (error) {
      if (attempt === TRIES) throw error;
      await pause(PAUSE_MS);
    }
  }
}

async function work(waiting) {
  for (let job = waiting.shift(); job; job = waiting.shift()) {
    const { branch, folder, command } = job;
    // With -B, as a first try may have made the branch.
    await git(repository, 'worktree', 'add', '-q', '-B', branch, folder, base);
    await run(folder, command);
    await git(folder, 'add', '-A');
    await git(folder, 'commit', '-q', '-m', branch);
    await git(repository, 'worktree', 'remove', '--force', folder);
  }
}

async function land() {
  const [first, ...others] = jobs.map(({ branch }) => branch);
  let result = await git(repository, 'rev-parse', first);
  for (const branch of others) {
    const tree = await git(repository, 'merge-tree', '--write-tree', result, branch);
    const parents = ['-p', result, '-p', branch];
    result = await git(repository, 'commit-tree', ...parents, '-m', `Merge ${branch}`, tree);
  }
  await git(repository, 'update-ref', 'refs/heads/landed', result);
}

process.stdout.write('ready\n');
await once(process.stdin, 'data');
const waiting = [...jobs];
await Promise.all(Array.from({ length: parallel }, () => work(waiting)));
const worked = performance.now();
await land();
process.stdout.write(`${performance.now() - worked}\n`);
