import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';

export type Command =
  | { readonly do: 'open'; readonly file: string }
  | { readonly do: 'add'; readonly key: string; readonly bytes?: number }
  | { readonly do: 'keys' }
  | { readonly do: 'check' }
  | { readonly do: 'backup'; readonly target: string }
  | { readonly do: 'close' };

interface Report {
  readonly code: string;
  readonly message: string;
  readonly next: string;
}

export interface Answer {
  readonly ok?: unknown;
  /** A BatonError: what a caller is meant to see. */
  readonly failed?: Report;
  /** Any other error, with its stack. */
  readonly unexpected?: string;
}

/** One file, because a fault must hit the store and not a loader of TypeScript. */
export async function bundleSession(): Promise<{ file: string; [Symbol.dispose](): void }> {
  const root = path.resolve(import.meta.dirname, '../../../..');
  const name = `store-fault-session-${process.pid}-${crypto.randomUUID()}.mjs`;
  const file = path.join(root, 'node_modules/.cache/baton', name);
  await build({
    entryPoints: [path.join(import.meta.dirname, 'programs/session.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['@photostructure/sqlite'],
    logLevel: 'warning',
  });
  return { file, [Symbol.dispose]: () => rmSync(file) };
}

/** A process with a store of its own, asked one command at a time. */
export class Session implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<unknown>;
  readonly #lines: AsyncIterator<string>;
  #errors = '';

  constructor([program = '', ...args]: readonly string[]) {
    this.#child = spawn(program, args, { cwd: '/' });
    this.#ended = once(this.#child, 'exit');
    this.#child.stdin.on('error', () => {}); // It has ended; the next line that is read says so.
    this.#child.stderr.on('data', (chunk) => {
      this.#errors += chunk;
    });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  get errors(): string {
    return this.#errors;
  }

  async ask(command: Command): Promise<Answer> {
    this.#child.stdin.write(`${JSON.stringify(command)}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`The process has ended: ${this.#errors}`);
    return JSON.parse(value) as Answer;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** Lets it end by itself. Returns its exit code. */
  async end(): Promise<number | null> {
    this.#child.stdin.end();
    await this.#ended;
    return this.#child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}
