import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Message } from './messages.ts';

export interface Command {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** `baton stdio`, one message per line in each direction. */
export class LineProcess implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #exited: Promise<unknown>;

  constructor({ args, cwd, env }: Command, onMessage: (message: Message) => void) {
    this.#child = spawn(process.execPath, [...args], { cwd, env });
    this.#child.stdin.on('error', () => {}); // It may have gone before the last message.
    this.#child.stderr.resume();
    this.#exited = new Promise((resolve) => this.#child.on('close', resolve));
    createInterface({ input: this.#child.stdout }).on('line', (line) =>
      onMessage(JSON.parse(line) as Message),
    );
  }

  send(message: Message): void {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.end();
    await this.#exited;
  }
}
