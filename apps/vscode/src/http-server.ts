import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { BatonError, type ErrorReport } from '@baton/core';
import { childEnvironment, type Launch } from './launch.ts';

interface ClientConfig {
  readonly client: string;
  readonly where: string;
  readonly text: string;
}

export type HttpState =
  | { readonly kind: 'starting' }
  | {
      readonly kind: 'running';
      readonly url: string;
      readonly port: number;
      readonly pid: number;
      readonly clients: readonly ClientConfig[];
    }
  | { readonly kind: 'failed'; readonly error: ErrorReport }
  | { readonly kind: 'stopped' };

export interface HttpServerOptions {
  readonly launch: Launch;
  /** 0 takes any that is free. */
  readonly port: number;
  /** Chosen when it first starts; it may be that the one to take cannot be read. */
  chooseToken(): string;
  /** What the program logs, line by line. */
  onLog(line: string): void;
  onState(state: HttpState): void;
}

/** A server that ends by itself is started again, but not for ever. */
const MAX_RESTARTS = 3;
const RESTARTS_FORGOTTEN_AFTER_MS = 60_000;
const STOP_MS = 3000;

type Announcement =
  | { readonly error: ErrorReport }
  | { readonly url: string; readonly port: number; readonly clients: readonly ClientConfig[] };

/** The one line that `baton serve --child` prints. */
function readAnnouncement(line: string): Announcement | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // A loader or a shim has printed something.
  }
}

/** `baton serve` as a child. It ends with us, however we end: it watches its stdin. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  #child: ChildProcessWithoutNullStreams | undefined;
  #exited: Promise<void> = Promise.resolve();
  #state: HttpState = { kind: 'stopped' };
  #port: number;
  #token: string | undefined;
  #url: string | undefined;
  #restarts: number[] = [];
  #onSettled: (() => void)[] = [];

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#port = options.port;
  }

  /** What clients have to send. Empty as long as it has never started. */
  get token(): string {
    return this.#token ?? '';
  }

  get state(): HttpState {
    return this.#state;
  }

  /** Where it is; also while it is being started again, because it will be there again. */
  get url(): string | undefined {
    return this.#url;
  }

  /** Once it is known whether it runs. */
  settled(): Promise<void> {
    if (this.#state.kind !== 'starting') return Promise.resolve();
    return new Promise((resolve) => this.#onSettled.push(resolve));
  }

  start(): void {
    const { launch, onLog } = this.#options;
    this.#set({ kind: 'starting' });
    try {
      this.#token ??= this.#options.chooseToken();
    } catch (error) {
      if (!(error instanceof BatonError)) throw error;
      const { code, message, next } = error;
      this.#set({ kind: 'failed', error: { code, message, next } });
      return;
    }
    const args = [...launch.args, 'serve', '--child', '--port', String(this.#port)];
    const child = spawn(launch.command, args, {
      cwd: launch.cwd,
      env: { ...childEnvironment(launch), BATON_TOKEN: this.#token },
      windowsHide: true,
    });
    this.#child = child;
    child.stdin.on('error', () => {}); // It may be gone before we close it.
    createInterface({ input: child.stderr }).on('line', onLog);
    createInterface({ input: child.stdout }).on('line', (line) => this.#onLine(child, line));
    this.#exited = new Promise((resolve) => {
      const onEnd = (reason: string) => {
        resolve();
        this.#onEnd(child, reason);
      };
      child.once('error', (error) => onEnd(`it could not be started: ${error.message}`));
      child.once('close', (code, signal) => onEnd(signal ? `by ${signal}` : `with code ${code}`));
    });
  }

  /** Calls in flight are answered; after that it is gone for certain. */
  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined; // From here on its end is no surprise.
    if (child) {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await this.#exited;
      clearTimeout(timer);
    }
    this.#set({ kind: 'stopped' });
  }

  #onLine(child: ChildProcessWithoutNullStreams, line: string): void {
    if (child !== this.#child) return;
    const said = readAnnouncement(line);
    if (!said) {
      this.#options.onLog(line);
      return;
    }
    if ('error' in said) {
      this.#child = undefined;
      this.#set({ kind: 'failed', error: said.error });
      return;
    }
    // Should it have to start again, its clients find it where it was.
    this.#port = said.port;
    const { url, port, clients } = said;
    this.#set({ kind: 'running', url, port, clients, pid: child.pid ?? 0 });
  }

  #onEnd(child: ChildProcessWithoutNullStreams, reason: string): void {
    if (child !== this.#child) return;
    this.#child = undefined;
    const now = performance.now();
    this.#restarts = this.#restarts.filter((at) => now - at < RESTARTS_FORGOTTEN_AFTER_MS);
    if (this.#state.kind === 'running' && this.#restarts.length < MAX_RESTARTS) {
      this.#restarts.push(now);
      this.#options.onLog(`the HTTP server ended ${reason} and is started again`);
      this.start();
      return;
    }
    const error = {
      code: 'server_ended',
      message: `Baton's HTTP server ended ${reason}.`,
      next: 'Look at the log of Baton, or run the doctor.',
    };
    this.#set({ kind: 'failed', error });
  }

  #set(state: HttpState): void {
    this.#state = state;
    if (state.kind === 'running') this.#url = state.url;
    else if (state.kind !== 'starting') this.#url = undefined;
    this.#options.onState(state);
    if (state.kind === 'starting') return;
    for (const resolve of this.#onSettled.splice(0)) resolve();
  }
}
