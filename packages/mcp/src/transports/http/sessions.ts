import type { Clock, Ids } from '@baton/core';
import type { Connections } from './connections.ts';
import type { HttpConnection } from './http-connection.ts';

export interface Session {
  readonly id: string;
  readonly connection: HttpConnection;
}

export interface SessionsOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly connections: Pick<Connections, 'open' | 'close'>;
  readonly idleMs: number;
  readonly max: number;
}

/** The sessions of old-era clients. One that nobody uses ends after a while. */
export class Sessions {
  readonly #options: SessionsOptions;
  /** By id, the longest unused first. */
  readonly #sessions = new Map<string, Session & { readonly usedAt: number }>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** `undefined` if there are too many and all of them are in use. */
  create(): Session | undefined {
    const { ids, connections, max } = this.#options;
    if (this.#sessions.size >= max && !this.#endOldest()) return undefined;
    const id = ids.next();
    let isFirst = true;
    const connection = connections.open('legacy', id, (_connection, reply) => {
      if (isFirst && 'error' in reply) this.end(id); // What was not initialised is no session.
      isFirst = false;
    });
    return this.#touch({ id, connection });
  }

  find(id: string): Session | undefined {
    const session = this.#sessions.get(id);
    return session && this.#touch(session);
  }

  end(id: string): boolean {
    const session = this.#sessions.get(id);
    if (!session) return false;
    this.#sessions.delete(id);
    this.#options.connections.close(session.connection);
    return true;
  }

  endIdle(): void {
    const { clock, idleMs } = this.#options;
    for (const { id, connection, usedAt } of [...this.#sessions.values()]) {
      if (connection.isIdle && clock.monotonic() - usedAt > idleMs) this.end(id);
    }
  }

  get size(): number {
    return this.#sessions.size;
  }

  #touch({ id, connection }: Session): Session {
    this.#sessions.delete(id);
    const session = { id, connection, usedAt: this.#options.clock.monotonic() };
    this.#sessions.set(id, session);
    return session;
  }

  #endOldest(): boolean {
    const oldest = [...this.#sessions.values()].find(({ connection }) => connection.isIdle);
    return oldest !== undefined && this.end(oldest.id);
  }
}
