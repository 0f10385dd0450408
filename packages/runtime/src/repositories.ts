import { BatonError, type Environment, type Trust } from '@baton/core';
import type { GitSettings, Repositories } from '@baton/plans';

/** The git repositories of a workspace, as plans look at them before and after jobs work there. */
export function createRepositories(
  workspace: string,
  environment: Environment,
  trust: Trust,
): Repositories {
  const call = { env: environment };
  // Only who makes a plan with git needs any of it.
  const load = () => Promise.all([import('@baton/git'), import('@baton/runner')]);
  const open = async (root: string) => {
    const [git] = await load();
    return { git, repository: await git.findRepository(root, call) };
  };
  // A patch is read page by page, and two commits always have the same.
  let last: { readonly key: string; readonly patch: Promise<string> } | undefined;
  return {
    async examine(settings, names, asking) {
      const [git, runner] = await load();
      const found = [];
      for (const name of names) {
        const repository = await runner.findWorkspaceRepository(workspace, name, call);
        const base = await git.resolveCommit(repository, settings.base ?? 'HEAD', call);
        if (settings.target !== undefined) {
          const defaults = await git.defaultBranches(repository, call);
          checkTarget(settings, git.isBranchName(settings.target), defaults);
        }
        const sources = await runner.repositorySources(workspace, name, repository, call);
        for (const source of sources) await trust.require(source, asking);
        found.push({ repository: name, root: repository.root, base });
      }
      return found;
    },
    async stat(root, from, to) {
      const { git, repository } = await open(root);
      return git.diffStat(repository, from, to, call);
    },
    patch(root, from, to) {
      const key = JSON.stringify([root, from, to]);
      if (last?.key === key) return last.patch;
      const patch = open(root).then(({ git, repository }) =>
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

function checkTarget(
  { target = '', intoDefault }: GitSettings,
  isBranch: boolean,
  defaults: readonly string[],
): void {
  if (!isBranch) {
    throw new BatonError(
      'target_invalid',
      `${JSON.stringify(target)} is no name of a branch.`,
      'Name a branch, without refs/heads/.',
    );
  }
  if (intoDefault || !defaults.includes(target)) return;
  throw new BatonError(
    'target_protected',
    `${target} is the default branch of the repository. Nothing was changed.`,
    'Set `intoDefault: true` if the plan really should land on it, or name another branch.',
  );
}
