import { realpathSync } from 'node:fs';
import path from 'node:path';
import { BatonError, type Environment, type Trust } from '@baton/core';
import type { Repository } from '@baton/git';
import type { Repositories } from '@baton/plans';
import type { Store } from '@baton/store';

/** The git repositories of a workspace, as plans look at them before and after jobs work there. */
export function createRepositories(
  workspace: string,
  environment: Environment,
  trust: Trust,
  store: Store,
): Repositories {
  const plain = { env: environment };
  // Only who makes a plan with git needs any of it.
  const load = () => Promise.all([import('@baton/git'), import('@baton/runner')]);
  const open = async (root: string) => {
    const [git, runner] = await load();
    const repository = await git.findRepository(root, plain);
    const name = nameOf(workspace, repository.root);
    const call = runner.permittedCall(workspace, name, repository, plain, trust);
    return { git, repository, call };
  };
  const requireTarget = async (repository: Repository, target: string, intoDefault: boolean) => {
    const [git] = await load();
    if (!git.isBranchName(target)) throw noBranch(target);
    if (intoDefault) return;
    if (await git.isDefaultBranch(repository, target, plain)) throw protectedTarget(target);
  };
  // A patch is read page by page, and two commits always have the same.
  let last: { readonly key: string; readonly patch: Promise<string> } | undefined;
  return {
    async examine(settings, names, asking) {
      const [git, runner] = await load();
      const found = [];
      for (const name of names) {
        const repository = await runner.findWorkspaceRepository(workspace, name, plain);
        const { target, intoDefault = false } = settings;
        if (target !== undefined) await requireTarget(repository, target, intoDefault);
        const sources = await runner.repositorySources(workspace, name, repository, plain);
        for (const source of sources) await trust.require(source, asking);
        // Not before: a partial clone fetches the commit, with programs that its settings name.
        const call = runner.permittedCall(workspace, name, repository, plain, trust);
        const base = await git.resolveCommit(repository, settings.base ?? 'HEAD', call);
        found.push({ repository: name, root: repository.root, base });
      }
      return found;
    },
    async requireTarget(name, target, intoDefault) {
      const [, runner] = await load();
      const repository = await runner.findWorkspaceRepository(workspace, name, plain);
      await requireTarget(repository, target, intoDefault);
    },
    async saveWork(worktree) {
      const [, runner] = await load();
      return runner.saveWork(store, worktree, plain);
    },
    async stat(root, from, to) {
      const { git, repository, call } = await open(root);
      return git.diffStat(repository, from, to, call);
    },
    patch(root, from, to) {
      const key = JSON.stringify([root, from, to]);
      if (last?.key === key) return last.patch;
      const patch = open(root).then(({ git, repository, call }) =>
        git.diffPatch(repository, from, to, {}, call),
      );
      last = { key, patch };
      patch.catch(() => {
        if (last?.patch === patch) last = undefined;
      });
      return patch;
    },
  };
}

/** As plans call it: by its folder in the workspace, or as the one that the workspace is in. */
function nameOf(workspace: string, root: string): string {
  const folder = path.relative(realpathSync(workspace), root);
  const isWithin = folder !== '' && !folder.startsWith('..') && !path.isAbsolute(folder);
  return isWithin ? folder.replaceAll(path.sep, '/') : '.';
}

function noBranch(target: string): BatonError {
  return new BatonError(
    'target_invalid',
    `${JSON.stringify(target)} is no name of a branch.`,
    'Name a branch, without refs/heads/.',
  );
}

function protectedTarget(target: string): BatonError {
  return new BatonError(
    'target_protected',
    `${target} is the default branch of the repository. Nothing was changed.`,
    'Set `intoDefault: true` if the plan really should land on it, or name another branch.',
  );
}
