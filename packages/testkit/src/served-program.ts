import { type Program, type ProgramOptions, startProgram } from './program.ts';

export interface ServedProgram {
  readonly program: Program;
  /** `http://127.0.0.1:<port>` */
  readonly address: string;
  readonly token: string;
  /** What a request to `/mcp` needs besides its body. */
  readonly headers: Readonly<Record<string, string>>;
  [Symbol.asyncDispose](): Promise<void>;
}

const TOKEN = 'test-token-0123456789-0123456789-abcdef';

/** A real `baton serve` on a port of its own. */
export async function serveProgram(
  file: string,
  { args = [], env, ...options }: ProgramOptions = {},
): Promise<ServedProgram> {
  const program = startProgram(file, {
    ...options,
    args: ['serve', ...(args.includes('--port') ? [] : ['--port', '0']), ...args],
    env: { BATON_TOKEN: TOKEN, ...env },
  });
  const address = await program.until('an address', () => {
    const [found] = program.garbage.flatMap((line) => /http:\/\/127[\d.:]+/.exec(line) ?? []);
    return found;
  });
  return {
    program,
    address,
    token: TOKEN,
    headers: {
      Authorization: `Bearer ${TOKEN}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}
