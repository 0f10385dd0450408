export interface ProcessCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Complete: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** On Windows the arguments are passed on as they stand: cmd has its own idea of quotes. */
  readonly verbatimArguments?: boolean;
}
