import path from 'node:path';
import type { CommandFile, Environment } from '@baton/core';

/**
 * What a repository makes git run by its own configuration, and what its `.worktreeinclude` has
 * copied into worktrees. Read with git, since only git knows what its files mean.
 */
export function repositoryCommands(env: Environment): CommandFile {
  return {
    reads: (file) => /(^|\/)(\.git\/config|\.worktreeinclude)$/.test(file),
    async find(_, file, workspace) {
      const { findWorkspaceRepository, repositorySources } = await import('@baton/runner');
      const folder = path.posix.dirname(file.replace(/\.git\/config$/, '.git'));
      const repository = await findWorkspaceRepository(workspace, folder, { env });
      const sources = await repositorySources(workspace, folder, repository, { env });
      return { commands: sources.find(({ source }) => source === file)?.commands ?? [] };
    },
  };
}
