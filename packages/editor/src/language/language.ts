import type { Move } from '../edits/changing.ts';
import type { EditsByFile, Range, TextEdit } from '../edits/text-edit.ts';

/** Somewhere in a file of the workspace, by its path there with slashes. */
export interface Place {
  readonly file: string;
  readonly range: Range;
}

/** Something that a file declares. */
export interface Declaration {
  readonly name: string;
  /** `function`, `class`, `method`, … */
  readonly kind: string;
  /** What it is declared in, from the outside: `Cart.total`. Empty at the top. */
  readonly container: string;
  /** Its name. */
  readonly range: Range;
  /** All of it. */
  readonly whole: Range;
}

/** A name in a text, and what it stands for. */
export interface Token {
  readonly range: Range;
  readonly kind: string;
  readonly isDeclaration: boolean;
}

/** What a file holds, and what is to be changed in it: the edits fit just these contents. */
export interface EditedFile {
  readonly file: string;
  readonly contents: Buffer;
  readonly edits: readonly TextEdit[];
}

export interface Texts {
  /** What a file holds now, with what is not saved yet. Throws `file_unusable`. */
  read(file: string): Promise<Buffer>;
}

/** What has to be edited because files are moved. */
export interface FollowingEdits {
  readonly edited: readonly EditedFile[];
  /** Whether somebody who knows what refers to such a file has been asked about it. */
  isKnown(file: string): boolean;
  /** What stood in the way of knowing more, as a sentence. */
  readonly why?: string | undefined;
}

/**
 * What is known about programs, by language servers or by an editor, for one call of a tool. Files
 * are named by their paths in the workspace, with slashes.
 */
export interface Language extends Texts {
  /** Throws `no_language_server` if nobody understands such files. */
  declarations(file: string): Promise<readonly Declaration[]>;
  /** The names in a file; none if they are not told. */
  tokens(file: string): Promise<readonly Token[]>;
  /** Where what stands at a place is declared; places outside of the workspace are left out. */
  definitions(place: Place): Promise<readonly Place[]>;
  /** Throws `cannot_rename`. */
  rename(at: Place, newName: string): Promise<readonly EditedFile[]>;
  /** What has to follow when files are moved. Nothing is moved here. */
  renameFiles(moves: readonly Move[]): Promise<FollowingEdits>;
  /** Throws `cannot_organize_imports` if nobody does that for such files. */
  organizeImports(file: string): Promise<readonly EditedFile[]>;
  /** The references of what would stand at a place if these edits had been made. */
  referencesAfter(edits: EditsByFile, at: Place): Promise<readonly Place[]>;
}
