import type { CallContext, Caller, ClientAbilities, LogLevel, Progress } from '@baton/core';
import type { Notification, ServerContext } from '@modelcontextprotocol/server';
import type { Connection } from '../adapter.ts';
import { callerOf } from '../caller-of.ts';
import { toMcpLevel } from '../log-levels.ts';
import type { ProtocolServer } from '../protocol-server.ts';
import type { AskedContext } from './questions.ts';

/**
 * What a request says about its call. Most tools use little of it, so the rest is made late. A
 * class, because a getter in an object literal would make every call a tenth slower.
 */
export class RequestCall implements CallContext {
  readonly signal: AbortSignal;
  readonly draining: AbortSignal;
  readonly can: ClientAbilities;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly progress?: (update: Progress) => void;
  readonly #server: ProtocolServer;
  readonly #connection: Connection;
  readonly #context: ServerContext;

  constructor(
    server: ProtocolServer,
    connection: Connection,
    context: ServerContext,
    { signal, can, answers }: AskedContext,
  ) {
    this.signal = signal;
    this.draining = connection.draining;
    this.can = can;
    this.answers = answers;
    this.#server = server;
    this.#connection = connection;
    this.#context = context;
    const progressToken = context.mcpReq._meta?.progressToken;
    if (progressToken === undefined) return;
    this.progress = (update) =>
      this.#notify({
        method: 'notifications/progress',
        params: { progressToken, ...update },
      });
  }

  get caller(): Caller {
    return callerOf(this.#server, this.#connection.identity, this.#context);
  }

  clientLog(level: LogLevel, message: string): void {
    if (!this.#connection.wantsLog(level, this.#context)) return;
    this.#notify({
      method: 'notifications/message',
      params: { level: toMcpLevel(level), logger: 'baton', data: message },
    });
  }

  /** Tells the client something on the side; if it has gone meanwhile, nothing is lost. */
  #notify(notification: Notification): void {
    this.#context.mcpReq.notify(notification).catch(() => {});
  }
}
