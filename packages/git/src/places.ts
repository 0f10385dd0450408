export interface Repository {
  /** The top level of the checkout; a real path. */
  readonly root: string;
  /** The git folder that all its worktrees have in common: its identity. A real path. */
  readonly gitDir: string;
}

export interface Worktree {
  readonly path: string;
  /** Its own, within the common one; for the main checkout they are the same. */
  readonly gitDir: string;
  readonly commonDir: string;
}
