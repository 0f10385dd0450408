/** Between a ref with what people have done in a worktree and the worktree's end. */
export const KEPT_WORK_POINTS = ['work saved', 'worktree given up'] as const;

/** Those of jobs that work in a worktree. */
export const WORKTREE_POINTS = [
  'resolved',
  'worktree recorded',
  'worktree made',
  'prepared',
  'worked',
  'committed',
  'result kept',
  'checked',
  'merged',
  'plan branch set',
  'target read',
  'target merged',
  'target verified',
  'target set',
  'landed',
] as const;

/** The moments between taking a job and being done with it, by name: for tests that stop time there. */
export const POINTS = [
  'claimed',
  'leftovers ended',
  'spawned',
  'start recorded',
  'first output',
  'exited',
  ...WORKTREE_POINTS,
  'output closed',
  'settled',
  ...KEPT_WORK_POINTS,
] as const;

export type Point = (typeof POINTS)[number];
export type OnPoint = (point: Point, job: string) => void;
