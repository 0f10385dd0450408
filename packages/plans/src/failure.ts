/**
 * Why an attempt has failed, and whether another one makes sense: `never` (the same would happen
 * again), `if asked` (as often as the job allows) or `always` (the job itself was not at fault).
 */
export const FAILURES = {
  exit_code: 'if asked',
  signal: 'if asked',
  timeout: 'if asked',
  /** The program that should run does not exist. */
  start_not_found: 'never',
  start_denied: 'never',
  start_bad_folder: 'never',
  start_too_big: 'never',
  /** The machine had no process, file or memory to give. */
  start_no_resources: 'always',
  /** The worker died while it ran. */
  worker_lost: 'always',
  /** What it wrote to $BATON_OUTPUT makes no sense. */
  output_invalid: 'never',
  /** A job before it did not write what this one refers to. */
  output_missing: 'never',
  /** Its output could not be kept. */
  log_failed: 'always',
  shell_unknown: 'never',
  /** Whoever had the ticket has given it up, or none could be made. */
  ticket_failed: 'never',
  /** What jobs that it needs have done, or what it should land on, does not fit together. */
  merge_conflict: 'never',
  /** A command that readies its worktree, or a check before its work, did not succeed. */
  setup_failed: 'if asked',
  before_failed: 'if asked',
  /** Its work is done, and a check says that it is not. */
  check_failed: 'if asked',
  /** Nothing is different, and it neither declares nor explains that. */
  no_changes: 'if asked',
  changes_unexpected: 'never',
  /** What it has left in its worktree cannot be committed. */
  commit_refused: 'never',
  /** What it should land on has changes that are not committed, or is being rebased. */
  target_dirty: 'never',
  target_protected: 'never',
  /** The repository is gone, too old a git, a base that does not exist. */
  repository_unusable: 'never',
  not_trusted: 'never',
  /** The kept worktree that it should go on in is gone. */
  worktree_gone: 'never',
  git_failed: 'always',
  /** A person said so. */
  failed_by_hand: 'never',
  internal: 'if asked',
} as const;

export type FailureReason = keyof typeof FAILURES;
export const FAILURE_REASONS = Object.keys(FAILURES) as [FailureReason, ...FailureReason[]];

type Retried = {
  [Reason in FailureReason]: (typeof FAILURES)[Reason] extends 'if asked' ? Reason : never;
}[FailureReason];
/** The reasons that a job can ask another try for. */
export const RETRIED = FAILURE_REASONS.filter((reason) => FAILURES[reason] === 'if asked') as [
  Retried,
  ...Retried[],
];

/** How often what is not the job's fault is tried again before it is given up. */
export const FAULTLESS_TRIES = 3;

export type Retry = 'never' | number | Readonly<Partial<Record<Retried, number | undefined>>>;

export interface Tries {
  readonly retry: Retry;
  /** Failures so far that were the job's own, this one included. */
  readonly failures: number;
  /** Those of them for the same reason, where that makes a difference. */
  readonly alike?: number;
  /** Tries so far, this one included, whatever became of them. */
  readonly tries: number;
}

const FIRST_DELAY_MS = 1000;
/** What the machine is short of, it does not have again at once. */
const FIRST_FAULTLESS_DELAY_MS = 5000;
const LONGEST_DELAY_MS = 60_000;

/** In how many milliseconds to try again; `undefined` if not at all. */
export function retryIn(
  reason: FailureReason,
  { retry, failures, alike = failures, tries }: Tries,
): number | undefined {
  const rule = FAILURES[reason];
  if (retry === 'never' || rule === 'never') return undefined;
  if (rule === 'always') return doubled(FIRST_FAULTLESS_DELAY_MS, tries);
  const isSpent =
    typeof retry === 'number' ? failures > retry : alike > (retry[reason as Retried] ?? 0);
  return isSpent ? undefined : doubled(FIRST_DELAY_MS, failures);
}

function doubled(firstMs: number, count: number): number {
  return Math.min(firstMs * 2 ** (count - 1), LONGEST_DELAY_MS);
}

/** Tries in all, whatever happens: a bound for a job that takes its worker down each time. */
export function maxAttempts(retry: Retry): number {
  if (retry === 'never') return 1;
  const asked =
    typeof retry === 'number'
      ? retry
      : Object.values(retry).reduce<number>((sum, times = 0) => sum + times, 0);
  return asked + FAULTLESS_TRIES;
}
