import type { Asking } from './asking.ts';

/** What JSON can say, so that what is shown, hashed and kept is the same. */
export type Plain =
  | string
  | number
  | boolean
  | null
  | readonly Plain[]
  | { readonly [key: string]: Plain | undefined };

/** A command that somebody has written down and that a person is asked to approve. */
export interface TrustedCommand {
  /** Names it among the others, such as the id of a job. */
  readonly title: string;
  /** What would run, in words: a line for a shell, or an executable with its arguments. */
  readonly command: string;
  /** Everything else that changes what runs: arguments one by one, environment, folder, shell. */
  readonly detail?: Plain;
}

/** What a file would run. */
export interface CommandsOfFile {
  /** All of them, in order. */
  readonly commands: readonly TrustedCommand[];
  /**
   * Everything else in the file that decides where, when and on what they run, by what it is about.
   * Left out if there is none.
   */
  readonly settings?: Readonly<Record<string, Plain>>;
}

/** Commands that come from a file of the repository rather than from a client. */
export interface CommandSource extends CommandsOfFile {
  /** The path of the workspace. */
  readonly workspace: string;
  /** Where they stand, for people and as a key: `plans/release.yaml`. */
  readonly source: string;
}

/**
 * Decides for every feature whether commands from files may run. Approvals are not made here: a
 * feature can ask a person, and nothing else.
 */
export interface Trust {
  /**
   * Returns if a person has approved exactly this. Asks through the client where that can be
   * done, and otherwise throws `not_trusted`. Run what was passed here, not the file read again.
   */
  require(source: CommandSource, asking: Asking): Promise<void>;
  isTrusted(source: CommandSource): Promise<boolean>;
}

/** Finds the commands in a kind of file; belongs to the feature that runs them. */
export interface CommandFile {
  /** Whether it knows this kind of file, by its path in the workspace. */
  reads(file: string): boolean;
  /** All that the text would run. Throws a BatonError if it makes no sense. */
  find(text: string, file: string, workspace: string): CommandsOfFile | Promise<CommandsOfFile>;
}
