import type { Kind } from '../reading/piece.ts';

/** A folder with Markdown files. */
export interface Source {
  readonly path: string;
  /** What it is called in answers. */
  readonly name: string;
  /** A folder that it must not lead out of, by links. */
  readonly within?: string;
  /** What all of its files are; else they say it themselves. */
  readonly kind?: Kind;
  /** Whether somebody has named it: then it is a mistake if it is not there. */
  readonly isNamed?: true;
}
