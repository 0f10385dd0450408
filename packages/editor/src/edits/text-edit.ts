/** A place in a text as language servers count: lines from 0, UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** Puts a text in the place of another. */
export interface TextEdit {
  readonly range: Range;
  readonly newText: string;
}

/** By path in the workspace, with slashes. */
export type EditsByFile = ReadonlyMap<string, readonly TextEdit[]>;
