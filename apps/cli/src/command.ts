import type { Flags, Parsed } from './flags.ts';
import type { Extras, Io } from './io.ts';

export interface Command {
  /** The words that call it, as in `plan create`. */
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly flags: Flags;
  readonly examples: readonly string[];
  /** How many words may follow the name. */
  readonly maxArguments: number;
  /** Returns the exit code. */
  run(io: Io, parsed: Parsed, extras: Extras): Promise<number>;
}
