import type { Readable, Writable } from 'node:stream';
import {
  type Aliases,
  BatonError,
  type CommandFile,
  escapeControls,
  type Feature,
} from '@baton/core';

/** Everything of the process that a command may touch. */
export interface Io {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable;
}

/** What tests add to the program to reach what no built-in tool does. */
export interface Extras {
  readonly features?: readonly Feature[];
  readonly aliases?: Aliases;
  readonly commandFiles?: readonly CommandFile[];
}

/**
 * Resolves once the text has left, so that the process may exit. A reader that has gone away
 * (`baton tools | head -1`) is no failure; a full disk is. What a terminal would obey, such as
 * an escape sequence in the name of a folder, is made visible.
 */
export function print(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const safe = escapeControls(text);
    stream.write(safe.endsWith('\n') ? safe : `${safe}\n`, (error) => {
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
