/** A folder with files. */
export interface FolderSource {
  readonly path: string;
  /** What it is called in answers. */
  readonly name: string;
  /** A folder that it must not lead out of, by links. */
  readonly within?: string;
  /** Whether somebody has named it: then it is a mistake if it is not there. */
  readonly isNamed?: true;
}
