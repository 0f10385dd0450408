import type { Baton } from '@baton/core';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { Adapter } from '../../adapter.ts';
import type { Identity } from '../../identity.ts';
import { type BareCalls, createBareCalls } from '../bare-call.ts';
import { serveConnection } from '../serve-connection.ts';
import type { Era } from './era.ts';
import { HttpConnection } from './http-connection.ts';

export interface ConnectionsOptions {
  readonly baton: Baton;
  readonly adapter: Adapter;
  readonly draining: AbortSignal;
}

type OnReplied = (connection: HttpConnection, reply: JSONRPCMessage) => void;

/** Everything that is being served, each with a server object of its own. */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #bareCalls: BareCalls;
  readonly #closers = new Map<HttpConnection, () => Promise<void>>();

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#bareCalls = createBareCalls(options.baton);
  }

  open(era: Era, identity: Identity, onReplied?: OnReplied): HttpConnection {
    const { baton, adapter, draining } = this.#options;
    const log = baton.log.child('http');
    const connection: HttpConnection = new HttpConnection({
      era,
      bareCalls: this.#bareCalls,
      ...(onReplied && { onReplied: (reply) => onReplied(connection, reply) }),
    });
    const served = serveConnection(adapter, {
      transport: connection,
      draining,
      identity,
      onerror: (error) => log.write('debug', error.message),
    });
    this.#closers.set(connection, () => served.close());
    return connection;
  }

  close(connection: HttpConnection): void {
    const close = this.#closers.get(connection);
    if (!close || !this.#closers.delete(connection)) return;
    close().catch((error: unknown) => {
      this.#options.baton.log.write('error', `closing a connection failed: ${String(error)}`);
    });
  }

  tick(): void {
    for (const connection of this.#closers.keys()) connection.tick();
  }

  /** Answers what is in flight, then closes all. */
  async drain(timeUp: Promise<void>): Promise<void> {
    const open = [...this.#closers];
    this.#closers.clear();
    await Promise.all(
      open.map(async ([connection, close]) => {
        await connection.drain(timeUp);
        await close();
      }),
    );
  }

  get size(): number {
    return this.#closers.size;
  }
}
