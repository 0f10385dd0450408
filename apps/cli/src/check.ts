/** One finding of `baton doctor`. */
export interface Check {
  readonly name: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** What to do about it. */
  readonly next?: string;
}
