/** What can be done with a plan, by tools and commands alike. */
export const ACTIONS = [
  'start',
  'pause',
  'resume',
  'cancel',
  'retry',
  'fail',
  'recover',
  'land',
  'clean',
  'clone',
  'archive',
  'delete',
] as const;

export type Action = (typeof ACTIONS)[number];
