import type { Readable, Writable } from 'node:stream';
import {
  type Aliases,
  BatonError,
  type CommandFile,
  escapeControls,
  type Feature,
} from '@baton/core';
import type { OnPoint } from '@baton/runtime';

/** Tells of `resize` when it is a terminal. */
export type Stdout = Writable & {
  readonly isTTY?: boolean;
  /** How many characters fit; `undefined` if it is no terminal. */
  size?(): { readonly columns: number; readonly rows: number } | undefined;
  /** Whether its reader is known to have gone. False if nobody can tell. */
  isGone?(): boolean;
  /** A pipe tells that its reader has gone only to those who write something. */
  isPipe?(): boolean;
};

/** Everything of the process that a command may touch. */
export interface Io {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Stdout;
  readonly stderr: Writable;
}

/** What tests add to the program to reach what no built-in tool does. */
export interface Extras {
  readonly features?: readonly Feature[];
  readonly aliases?: Aliases;
  readonly commandFiles?: readonly CommandFile[];
  /** Is told where the worker is with a job. */
  readonly onPoint?: OnPoint;
}

/**
 * Resolves once the text has left, so that the process may exit. A reader that has gone away
 * (`baton tools | head -1`) is no failure; a full disk is. What a terminal would obey, such as
 * an escape sequence in the name of a folder, is made visible.
 */
export function print(stream: Writable, text: string): Promise<void> {
  return printPart(stream, text.endsWith('\n') ? text : `${text}\n`);
}

/** As `print`, but adds no line break: for a text that comes in pieces. */
export function printPart(stream: Writable, text: string): Promise<void> {
  return printDrawn(stream, escapeControls(text));
}

/** For a text with colours of our own, whose other parts have been made safe already. */
export function printDrawn(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (!error || (error as NodeJS.ErrnoException).code === 'EPIPE') resolve();
      else reject(outputFailed(error));
    });
  });
}

function outputFailed(cause: Error): BatonError {
  return new BatonError(
    'output_failed',
    `The output could not be written: ${cause.message}.`,
    'Free some space or send it elsewhere, and run the command again.',
    { cause },
  );
}
