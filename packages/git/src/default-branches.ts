import type { GitCall } from './git-call.ts';
import { invalidRevision, isBranchName } from './names.ts';
import type { Repository } from './places.ts';
import { runGit } from './run-git.ts';

const USUAL = ['main', 'master'];

/** The branches that others start from: what remotes say, else what is usual. */
export async function defaultBranches(repo: Repository, call: GitCall): Promise<readonly string[]> {
  const args = ['for-each-ref', '--format=%(refname) %(symref)', 'refs/remotes/*/HEAD'];
  const { stdout } = await runGit(repo, args, call, { isAboutNames: true });
  const named = stdout.split('\n').flatMap((line) => {
    const [ref = '', target = ''] = line.split(' ');
    const remote = ref.slice(0, -'HEAD'.length);
    return remote !== '' && target.startsWith(remote) ? [target.slice(remote.length)] : [];
  });
  if (named.length > 0) return [...new Set(named)].sort();
  const configured = await runGit(repo, ['config', '--get', 'init.defaultBranch'], call, {
    accepts: [0, 1],
    isAboutNames: true,
  });
  const name = configured.stdout.trim();
  if (!isBranchName(name)) return USUAL;
  const { stdout: own } = await runGit(
    repo,
    ['for-each-ref', '--format=%(refname)', '--end-of-options', `refs/heads/${name}`],
    call,
    { isAboutNames: true },
  );
  // It says what new repositories begin with; this one may be older, or somebody else's.
  return own.split('\n').includes(`refs/heads/${name}`) ? [name] : [...USUAL, name];
}

/** Also by another name: a branch can be a symbolic ref, and some file systems ignore case. */
export async function isDefaultBranch(
  repo: Repository,
  branch: string,
  call: GitCall,
): Promise<boolean> {
  if (!isBranchName(branch)) throw invalidRevision(branch, 'Give the name of a branch.');
  const ref = `refs/heads/${branch}`;
  const args = ['for-each-ref', '--format=%(refname) %(symref)', '--end-of-options', ref];
  const { stdout } = await runGit(repo, args, call, { isAboutNames: true });
  const [, target] =
    stdout
      .split('\n')
      .map((line) => line.split(' '))
      .find(([name]) => name === ref) ?? [];
  const names = [ref, target ?? ''].map((name) => name.toLowerCase());
  const defaults = await defaultBranches(repo, call);
  return defaults.some((name) => names.includes(`refs/heads/${name}`.toLowerCase()));
}
