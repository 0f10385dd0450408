import path from 'node:path';
import { BatonError, type CommandSource, escapeLine, type Trust } from '@baton/core';
import {
  findRepository,
  type GitCall,
  includePatterns,
  type LocalCommand,
  localCommands,
  type Repository,
} from '@baton/git';
import { OWN_REPOSITORY } from '@baton/plans/jobs';
import { jobFolder } from '../job-folder.ts';
import type { ConflictWatch } from './conflict-watch.ts';

/** A repository as jobs of a workspace see it. */
export interface WorkspaceRepository extends Repository {
  /** Where in it the workspace is, or the folder that is named as the repository. */
  readonly inside: string;
}

/** What worktrees are made with. One for all jobs of a worker. */
export class GitGround {
  /** Where worktrees are made. */
  readonly folder: string;
  readonly conflicts: ConflictWatch;
  readonly #trust: Pick<Trust, 'isTrusted'>;
  readonly #found = new Map<string, Promise<WorkspaceRepository>>();

  constructor(folder: string, trust: Pick<Trust, 'isTrusted'>, conflicts: ConflictWatch) {
    this.folder = folder;
    this.conflicts = conflicts;
    this.#trust = trust;
  }

  /** Asked for by every job: git is asked once. */
  find(workspace: string, repository: string, call: GitCall): Promise<WorkspaceRepository> {
    const key = JSON.stringify([workspace, repository, call.env['PATH']]);
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    // Whoever stops waiting must not end it for others.
    const { env } = call;
    const finding = findWorkspaceRepository(workspace, repository, { env });
    this.#found.set(key, finding);
    finding.catch(() => this.#found.delete(key));
    return finding;
  }

  /** Throws if the repository would have something run or copied that nobody has approved. */
  async requireTrust(
    workspace: string,
    repository: string,
    found: Repository,
    call: GitCall,
  ): Promise<void> {
    const sources = await repositorySources(workspace, repository, found, call);
    for (const source of sources) {
      if (!(await this.#trust.isTrusted(source))) throw notTrusted(source);
    }
  }

  /** Has git run nothing in this repository or its worktrees that is not approved at that moment. */
  permitted(workspace: string, repository: string, found: Repository, call: GitCall): GitCall {
    return permittedCall(workspace, repository, found, call, this.#trust);
  }
}

/** The same call, with which git runs what a person has approved of the repository's settings. */
export function permittedCall(
  workspace: string,
  repository: string,
  found: Repository,
  call: GitCall,
  trust: Pick<Trust, 'isTrusted'>,
): GitCall {
  const sourceOf = (commands: readonly LocalCommand[]) =>
    configurationSource(workspace, repository, commands);
  return {
    ...call,
    async permit(commands) {
      if (await trust.isTrusted(sourceOf(commands))) return;
      // Where git works it may read less than in the checkout that people look at, but nothing else.
      const approvable = await localCommands(found, { env: call.env });
      const hidden = commands.find(
        ({ name, value }) => !approvable.some((one) => one.name === name && one.value === value),
      );
      if (hidden) throw hiddenCommand(sourceOf(commands), hidden);
      if (!(await trust.isTrusted(sourceOf(approvable)))) throw notTrusted(sourceOf(approvable));
    },
  };
}

export async function findWorkspaceRepository(
  workspace: string,
  repository: string,
  call: GitCall,
): Promise<WorkspaceRepository> {
  const folder = jobFolder(workspace, repository === OWN_REPOSITORY ? undefined : repository);
  if (!folder) throw missing(repository, 'is not a folder of the workspace');
  const found = await findRepository(folder, call);
  const inside = path.relative(found.root, folder);
  if (repository !== OWN_REPOSITORY && inside !== '') {
    throw missing(repository, 'is not the top folder of a git repository');
  }
  return { ...found, inside };
}

function missing(repository: string, what: string): BatonError {
  return new BatonError(
    'repository_missing',
    `${JSON.stringify(repository)} ${what}.`,
    'Name the top folder of a repository, relative to the workspace.',
  );
}

/** What git would run for us because the repository says so, and what would be copied. */
export async function repositorySources(
  workspace: string,
  repository: string,
  found: Repository,
  call: GitCall,
): Promise<CommandSource[]> {
  const [commands, patterns] = [await localCommands(found, call), includePatterns(found)];
  const sources = [
    configurationSource(workspace, repository, commands),
    {
      workspace,
      source: fileOf(repository, '.worktreeinclude'),
      commands: patterns.map((pattern) => ({
        title: 'copied into worktrees',
        command: pattern,
      })),
    },
  ];
  return sources.filter((source) => source.commands.length > 0);
}

function configurationSource(
  workspace: string,
  repository: string,
  commands: readonly LocalCommand[],
): CommandSource {
  return {
    workspace,
    source: fileOf(repository, '.git/config'),
    commands: commands.map(({ name, value }) => ({ title: name, command: value })),
  };
}

function fileOf(repository: string, file: string): string {
  return path.posix.normalize(repository === OWN_REPOSITORY ? file : `${repository}/${file}`);
}

function notTrusted({ source }: CommandSource): BatonError {
  return new BatonError(
    'not_trusted',
    `Nobody has approved what ${source} would have run or copied.`,
    `Look at it and approve it with \`baton trust grant ${source}\`, then retry.`,
  );
}

function hiddenCommand({ source }: CommandSource, { name }: LocalCommand): BatonError {
  return new BatonError(
    'not_trusted',
    `Git would have run ${escapeLine(name)}, which is set for some worktrees or branches only: nobody can have approved it.`,
    `Set it in ${source} without a condition and approve that with \`baton trust grant ${source}\`, or remove it.`,
  );
}
