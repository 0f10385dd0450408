import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { escapeLine } from '@baton/core';

/** A language server as it is started: a program and its arguments, never a shell. */
export interface ServerCommand {
  /** For people. */
  readonly name: string;
  readonly executable: string;
  readonly args: readonly string[];
  /** Names of variables that it gets from this process. */
  readonly passedOn: readonly string[];
}

/** The last words of a process that ends by itself. */
const LAST_WORDS = 1000;

interface Heard {
  output(chunk: Buffer): void;
  ended(why: Error): void;
}

/** One process of a language server, from its start to its end. It ends with us at the latest. */
export class ServerProcess {
  readonly #child: ChildProcess;
  #lastWords = '';
  #isAwaited = true;

  constructor({ name, executable, args, passedOn }: ServerCommand, cwd: string, heard: Heard) {
    this.#child = spawn(executable, [...args], {
      cwd,
      env: environment(passedOn),
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const { stdin, stdout, stderr } = this.#child;
    stdout?.on('data', (chunk: Buffer) => heard.output(chunk));
    stderr?.on('data', (bytes: Buffer) => {
      this.#lastWords = `${this.#lastWords}${bytes}`.slice(-LAST_WORDS);
    });
    // Whoever writes to a process that has ended hears of its end.
    stdin?.on('error', () => {});
    let hasEnded = false;
    const end = (why: string, cause?: unknown) => {
      if (!hasEnded) heard.ended(new Error(`${name} ${why}`, { cause }));
      hasEnded = true;
    };
    this.#child.on('error', (cause) => end(`could not be started (${cause.message})`, cause));
    this.#child.on('exit', (code, signal) => end(`has ended (${signal ?? code}).${this.#words()}`));
    this.isAwaited = false;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  write(bytes: Buffer): void {
    this.#child.stdin?.write(bytes);
  }

  /** Whether this process has to live until it has answered. */
  set isAwaited(isAwaited: boolean) {
    if (isAwaited === this.#isAwaited) return;
    this.#isAwaited = isAwaited;
    const { stdin, stdout, stderr } = this.#child;
    for (const one of [this.#child, stdin, stdout, stderr] as (Socket | null)[]) {
      if (isAwaited) one?.ref();
      else one?.unref();
    }
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #words(): string {
    const words = this.#lastWords.trim().split('\n').pop() ?? '';
    return words && ` ${escapeLine(words)}`;
  }
}

function environment(names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
