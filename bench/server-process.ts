import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { readCpu, readFamilyCpu, readMemory } from './process-cost.ts';

const NEWLINE = 0x0a;
const CHUNK_BYTES = 64 * 1024;
const LIFETIME_MS = 180_000;

/** The server ended, or closed its output, before it had answered. */
export class ServerGone extends Error {
  readonly timedOut: boolean;

  constructor(timedOut: boolean) {
    super(timedOut ? `no answer within ${LIFETIME_MS / 1000} s` : 'the server ended early');
    this.timedOut = timedOut;
  }
}

interface Waiter {
  isDone(): boolean;
  resolve(): void;
  reject(error: Error): void;
}

const running = new Set<ServerProcess>();

export function killServers(): void {
  for (const server of running) server.kill();
}

/** A server under measurement. Lines are counted as they come and read only after the clock. */
export class ServerProcess implements AsyncDisposable {
  readonly startedAt = performance.now();
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #pid: number;
  readonly #closed: Promise<void>;
  readonly #lifetime: NodeJS.Timeout;
  #received: Buffer[] = [];
  #lines = 0;
  #needsDrain = false;
  #isGone = false;
  #timedOut = false;
  #waiter: Waiter | undefined;

  constructor(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
    if (child.pid === undefined) throw new Error(`could not start ${args.join(' ')}`);
    this.#child = child;
    this.#pid = child.pid;
    running.add(this);
    this.#closed = new Promise((resolve) => child.once('close', () => resolve()));
    this.#lifetime = setTimeout(() => {
      this.#timedOut = true;
      this.kill();
    }, LIFETIME_MS);
    child.stdout.on('data', (chunk: Buffer) => this.#onData(chunk));
    child.stdout.once('end', () => this.#onGone());
    child.stdin.on('drain', () => {
      this.#needsDrain = false;
      this.#wake();
    });
    // EPIPE says that the server is gone; so does the end of its output, once all of it is read.
    child.stdin.on('error', () => {});
  }

  get pid(): number {
    return this.#pid;
  }

  get cpu(): number | undefined {
    return readCpu(this.#pid);
  }

  get familyCpu(): number | undefined {
    return readFamilyCpu(this.#pid);
  }

  get memory(): number | undefined {
    return readMemory(this.#pid);
  }

  async send(bytes: Buffer): Promise<void> {
    for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
      this.#needsDrain = !this.#child.stdin.write(bytes.subarray(start, start + CHUNK_BYTES));
      if (this.#needsDrain) await this.#until(() => !this.#needsDrain);
    }
  }

  /** Settles as soon as so many lines have come, before any of them is looked at. */
  async received(lines: number): Promise<void> {
    await this.#until(() => this.#lines >= lines);
  }

  takeLines(): string[] {
    const lines = Buffer.concat(this.#received).toString().split('\n');
    const rest = lines.pop();
    this.#received = rest ? [Buffer.from(rest)] : [];
    this.#lines = 0;
    return lines;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#lifetime);
    this.kill();
    await this.#closed;
    running.delete(this);
  }

  #until(isDone: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiter = { isDone, resolve, reject };
      this.#wake();
    });
  }

  #wake(): void {
    const waiter = this.#waiter;
    if (!waiter) return;
    if (waiter.isDone()) waiter.resolve();
    else if (this.#isGone) waiter.reject(new ServerGone(this.#timedOut));
    else return;
    this.#waiter = undefined;
  }

  #onData(chunk: Buffer): void {
    this.#received.push(chunk);
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) {
      this.#lines += 1;
    }
    this.#wake();
  }

  #onGone(): void {
    this.#isGone = true;
    this.#wake();
  }
}
