/** Settings of the user and of a branch would otherwise add to what a merge does. */
export const PLAIN_MERGE = [
  'merge',
  '-q',
  '--no-edit',
  '--no-stat',
  '--no-squash',
  '--no-autostash',
  '--no-gpg-sign',
  '--no-verify',
  '--no-verify-signatures',
] as const;
