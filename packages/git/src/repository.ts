import { realpathSync } from 'node:fs';
import path from 'node:path';
import { BatonError, escapeLine } from '@baton/core';
import { leadsOutOf } from '@baton/folders/files';
import type { GitCall } from './git-call.ts';
import { gitFailed } from './git-failure.ts';
import { type GitOutput, spawnGit } from './git-process.ts';
import { requireGit } from './git-version.ts';
import type { Repository } from './places.ts';

const QUESTION = [
  'rev-parse',
  '--path-format=absolute',
  '--is-bare-repository',
  '--git-common-dir',
  '--show-toplevel',
];

/** The repository whose checkout a folder is in. */
export async function findRepository(folder: string, call: GitCall): Promise<Repository> {
  await requireGit(call);
  const full = realFolder(folder);
  const answer = await spawnGit(full, QUESTION, call, { accepts: 'any' });
  if (answer.code !== 0) throw whyMissing(folder, answer);
  const [, gitDir, root, ...more] = answer.stdout.split(/\r?\n/);
  if (!gitDir || !root || more.join('') !== '') {
    throw missing(`The path of the repository of ${shown(folder)} has a line break in it.`);
  }
  const repository = { root: realpathSync(root), gitDir: realpathSync(gitDir) };
  // By core.worktree a repository can claim any folder.
  if (leadsOutOf(repository.root, full)) {
    throw missing(`The repository in ${shown(folder)} has its files elsewhere: in ${shown(root)}.`);
  }
  return repository;
}

function realFolder(folder: string): string {
  try {
    return realpathSync(path.resolve(folder));
  } catch (cause) {
    throw missing(`There is no folder ${shown(folder)}.`, undefined, { cause });
  }
}

function whyMissing(folder: string, { code, stdout, stderr }: GitOutput): BatonError {
  if (stderr.includes('dubious ownership')) {
    const advice = /git config --global --add safe\.directory .+/.exec(stderr)?.[0];
    return missing(
      `Git does not use the repository in ${shown(folder)}: it belongs to another user.`,
      advice && `If you trust it, run: ${escapeLine(advice)}`,
    );
  }
  if (stdout.startsWith('true')) {
    return missing(`The repository in ${shown(folder)} is bare: it has no files checked out.`);
  }
  if (stderr.includes('must be run in a work tree')) {
    return missing(`${shown(folder)} is inside of a git folder, not in a checkout.`);
  }
  if (/not a git repository|cannot change to|Not a directory/i.test(stderr)) {
    return missing(`There is no git repository in ${shown(folder)}.`);
  }
  return gitFailed('rev-parse', code, stderr);
}

function missing(message: string, next?: string, options?: ErrorOptions): BatonError {
  return new BatonError(
    'repository_missing',
    message,
    next ?? 'Name a folder in the checkout of a git repository, or make one with git init.',
    options,
  );
}

function shown(folder: string): string {
  return escapeLine(folder);
}
