import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BatonError, type ErrorReport } from '@baton/core';
import { type EditorHost, isMethod } from './editor-host.ts';
import {
  type Cancellation,
  type Greeting,
  type LinkAddress,
  MOST_BYTES,
  type Question,
} from './messages.ts';
import { Wire } from './wire.ts';

export interface EditorLinkOptions {
  /** Who answers processes whose workspace is this folder. */
  hostFor(root: string): EditorHost;
  /** What nobody has expected; whoever asked is told only that it failed. */
  onFault(error: unknown): void;
}

const GREETING_BYTES = 16 * 1024;
const GREETING_MS = 10_000;
/** A path of a socket has a hundred bytes on some systems. */
const LONGEST_PATH = 100;

/** Where the processes that an editor has started can ask it. */
export class EditorLink {
  readonly address: LinkAddress;
  readonly #options: EditorLinkOptions;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #opening: Promise<void> | undefined;

  constructor(options: EditorLinkOptions) {
    this.#options = options;
    this.address = { path: choosePath(), token: randomBytes(32).toString('base64url') };
  }

  /** Once for all; there is nothing until then. */
  open(): Promise<void> {
    this.#opening ??= this.#listen();
    return this.#opening;
  }

  close(): void {
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
    if (this.#server && process.platform !== 'win32')
      rmSync(path.dirname(this.address.path), { recursive: true, force: true });
  }

  #listen(): Promise<void> {
    const file = this.address.path;
    // Others of this machine cannot even look for the socket in it.
    if (process.platform !== 'win32') mkdirSync(path.dirname(file), { mode: 0o700 });
    const server = createServer((socket) => this.#onConnection(socket));
    this.#server = server;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(file, () => {
        server.off('error', reject).on('error', this.#options.onFault);
        resolve();
      });
    });
  }

  #onConnection(socket: Socket): void {
    this.#sockets.add(socket);
    const running = new Map<number, AbortController>();
    const timer = setTimeout(() => socket.destroy(), GREETING_MS);
    let host: EditorHost | undefined;
    const wire = new Wire(socket, GREETING_BYTES, {
      message: (message) => {
        if (host) return this.#onMessage(wire, host, running, message as Message);
        clearTimeout(timer);
        const { token, root } = message as Partial<Greeting>;
        if (!this.#isRight(token) || typeof root !== 'string') return wire.end();
        wire.maxBytes = MOST_BYTES;
        host = this.#options.hostFor(root);
      },
      ended: () => {
        clearTimeout(timer);
        this.#sockets.delete(socket);
        for (const abort of running.values()) abort.abort();
      },
    });
  }

  #onMessage(
    wire: Wire,
    host: EditorHost,
    running: Map<number, AbortController>,
    message: Message,
  ): void {
    if (message.cancelled !== undefined) {
      running.get(message.cancelled)?.abort();
      return;
    }
    const { id, method, asked } = message;
    if (typeof id !== 'number' || !isMethod(method)) {
      wire.end();
      return;
    }
    const abort = new AbortController();
    running.set(id, abort);
    // Each method knows the type of what it is asked; together they do not.
    const ask = host[method].bind(host) as (
      asked: unknown,
      signal: AbortSignal,
    ) => Promise<unknown>;
    ask(asked, abort.signal)
      .then(
        (result) => wire.send({ id, result }),
        (error: unknown) => wire.send({ id, error: this.#reportOf(error) }),
      )
      .finally(() => running.delete(id))
      .catch(this.#options.onFault); // A result that is no JSON.
  }

  #isRight(token: unknown): boolean {
    const digest = (text: string) => createHash('sha256').update(text).digest();
    return typeof token === 'string' && timingSafeEqual(digest(token), digest(this.address.token));
  }

  #reportOf(error: unknown): ErrorReport {
    if (error instanceof BatonError) {
      const { code, message, next } = error;
      return { code, message, next };
    }
    this.#options.onFault(error);
    return {
      code: 'editor_failed',
      message: `VS Code could not do it: ${error instanceof Error ? error.message : String(error)}`,
      next: 'Try once more; the log of Baton in VS Code has the details.',
    };
  }
}

type Message = Partial<Question & Cancellation>;

function choosePath(): string {
  const name = `baton-${randomBytes(16).toString('hex')}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  const chosen = path.join(tmpdir(), name, 'editor');
  return Buffer.byteLength(chosen) <= LONGEST_PATH ? chosen : path.join('/tmp', name, 'editor');
}
