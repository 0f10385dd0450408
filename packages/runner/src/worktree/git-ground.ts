import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { BatonError, type CommandSource, type Trust } from '@baton/core';
import {
  findRepository,
  type GitCall,
  includePatterns,
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
  readonly #trusted = new Map<string, string>();

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
    const stamp = stampOf(found);
    if (stamp !== undefined && this.#trusted.get(found.root) === stamp) return;
    const sources = await repositorySources(workspace, repository, found, call);
    for (const source of sources) {
      if (!(await this.#trust.isTrusted(source))) throw notTrusted(source);
    }
    // An approval can be taken back: only where nothing needs one, nobody need be asked again.
    if (stamp !== undefined && sources.length === 0) this.#trusted.set(found.root, stamp);
  }
}

/** What was looked at, as long as nothing of it changes; `undefined` if that cannot be told. */
function stampOf({ root, gitDir }: Repository): string | undefined {
  const files = [
    path.join(gitDir, 'config'),
    path.join(gitDir, 'config.worktree'),
    path.join(root, '.worktreeinclude'),
  ];
  try {
    // What it includes can change without it.
    if (/^\s*\[\s*include/im.test(readFileSync(path.join(gitDir, 'config'), 'utf8'))) {
      return undefined;
    }
    const stats = files.map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }));
    return stats.map((stat) => (stat ? `${stat.ino}.${stat.mtimeNs}.${stat.size}` : '-')).join();
  } catch {
    return undefined;
  }
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
  const place = (file: string) =>
    path.posix.normalize(repository === OWN_REPOSITORY ? file : `${repository}/${file}`);
  const [commands, patterns] = [await localCommands(found, call), includePatterns(found)];
  const sources = [
    {
      workspace,
      source: place('.git/config'),
      commands: commands.map(({ name, value }) => ({ title: name, command: value })),
    },
    {
      workspace,
      source: place('.worktreeinclude'),
      commands: patterns.map((pattern) => ({
        title: 'copied into worktrees',
        command: pattern,
      })),
    },
  ];
  return sources.filter((source) => source.commands.length > 0);
}

function notTrusted({ source }: CommandSource): BatonError {
  return new BatonError(
    'not_trusted',
    `Nobody has approved what ${source} would have run or copied.`,
    `Look at it and approve it with \`baton trust grant ${source}\`, then retry.`,
  );
}
