import { BatonError } from '@baton/core';
import type { Conflict } from '@baton/git';
import type { FailureReason } from '@baton/plans/jobs';
import { isStoreTrouble } from '../store-trouble.ts';

interface FailureDetails {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly detail?: object | undefined;
}

/** Ends an attempt in a worktree: why, in words, and what else is known. */
export class PhaseFailure extends Error {
  readonly reason: FailureReason;
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** What the step keeps of it. */
  readonly detail: object | undefined;

  constructor(reason: FailureReason, message: string, more: FailureDetails = {}) {
    super(message);
    this.reason = reason;
    this.exitCode = more.exitCode;
    this.signal = more.signal;
    this.detail = more.detail;
  }
}

const REASONS: Readonly<Record<string, FailureReason>> = {
  git_failed: 'git_failed',
  git_missing: 'repository_unusable',
  git_too_old: 'repository_unusable',
  repository_missing: 'repository_unusable',
  repository_empty: 'repository_unusable',
  revision_invalid: 'repository_unusable',
  revision_unknown: 'repository_unusable',
  merge_unresolved: 'merge_conflict',
  nested_repository: 'commit_refused',
  include_invalid: 'setup_failed',
  include_too_large: 'setup_failed',
  link_invalid: 'setup_failed',
  not_trusted: 'not_trusted',
  output_invalid: 'output_invalid',
  output_missing: 'output_missing',
  shell_unknown: 'shell_unknown',
};

export function asPhaseFailure(error: unknown): PhaseFailure {
  if (error instanceof PhaseFailure) return error;
  if (error instanceof BatonError) {
    // A full disk, perhaps: the job is not at fault.
    const reason = isStoreTrouble(error) ? 'log_failed' : REASONS[error.code];
    if (reason) return new PhaseFailure(reason, `${error.message} ${error.next}`);
  }
  const message = error instanceof Error ? error.message : String(error);
  return new PhaseFailure('internal', `It could not be run: ${message}`);
}

const NAMED_FILES = 5;

/** What does not fit together, in a sentence: files with lines, and whose they are. */
export function conflictMessage(
  jobs: readonly string[],
  conflicts: readonly Conflict[],
  worktree: string,
): string {
  const files = conflicts.slice(0, NAMED_FILES).map(({ path, kind, hunks }) => {
    const lines = hunks.map(({ line }) => line).join(', ');
    return `${path} (${kind}${lines && `, line ${lines}`})`;
  });
  const more = conflicts.length - files.length;
  const named = files.join(', ') + (more > 0 ? ` and ${more} more` : '');
  const where = worktree ? ` Resolve it in ${worktree} and retry from "prepare".` : '';
  return `${jobs.join(' and ')} do not fit together: ${named}.${where}`;
}
