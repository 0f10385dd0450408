/** A place where a text speaks of something by its name or path. */
export interface Mention {
  /** Counted from 1. */
  readonly line: number;
  /** The line, or the part of a long one around the mention. */
  readonly text: string;
  readonly where: 'comment' | 'string' | 'text';
}
