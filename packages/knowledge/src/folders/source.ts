import type { FolderSource } from '@baton/folders';
import type { Kind } from '../reading/piece.ts';

/** A folder with Markdown files. */
export interface Source extends FolderSource {
  /** What all of its files are; else they say it themselves. */
  readonly kind?: Kind;
}
