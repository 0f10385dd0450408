/**
 * What an attempt in a worktree goes through, in this order. Most attempts have only some of them:
 * a job without checks has no `checks`, and only what lands has `land`.
 */
export const PHASES = [
  'prepare',
  'before',
  'work',
  'commit',
  'checks',
  'land',
  'clean-up',
] as const;

export type Phase = (typeof PHASES)[number];

/** Those that an attempt can begin with, in the worktree that an earlier one has left. */
export const RESUMABLE = ['prepare', 'before', 'work', 'commit', 'checks'] as const;
export type Resumable = (typeof RESUMABLE)[number];

export function isBefore(one: Phase, other: Phase): boolean {
  return PHASES.indexOf(one) < PHASES.indexOf(other);
}
