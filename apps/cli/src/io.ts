import type { Readable, Writable } from 'node:stream';
import type { Aliases, Feature } from '@baton/core';

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
}

/** Resolves once the text has left, so that the process may exit. */
export function print(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text.endsWith('\n') ? text : `${text}\n`, () => resolve());
  });
}
