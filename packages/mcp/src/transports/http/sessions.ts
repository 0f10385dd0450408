import type { Clock } from '@baton/core';
import type { Identity } from '../../identity.ts';
import type { Connections } from './connections.ts';
import type { HttpConnection } from './http-connection.ts';
import type { ClientFacts, SessionIds } from './session-ids.ts';

export interface Session {
  readonly id: string;
  readonly connection: HttpConnection;
}

export interface SessionsOptions {
  readonly clock: Clock;
  readonly ids: SessionIds;
  readonly connections: Pick<Connections, 'open' | 'close'>;
  readonly idleMs: number;
  readonly max: number;
}

/** Remembered, so that a session that its client has ended is not begun again. */
const MAX_ENDED = 10_000;

/** The sessions of old-era clients. What nobody uses is put away, and taken up again when needed. */
export class Sessions {
  readonly #options: SessionsOptions;
  /** By id, the longest unused first. */
  readonly #sessions = new Map<string, Session & { readonly usedAt: number }>();
  readonly #ended = new Set<string>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** `undefined` if there are too many and all of them are in use. */
  create(client: ClientFacts): Session | undefined {
    return this.#open(this.#options.ids.mint(client));
  }

  find(id: string): Session | undefined {
    const session = this.#sessions.get(id);
    return session ? this.#touch(session) : this.#takeUp(id);
  }

  /** As its client wants it: for good. */
  end(id: string): boolean {
    if (!this.find(id)) return false;
    this.#putAway(id);
    this.#ended.add(id);
    const [oldest] = this.#ended;
    if (oldest !== undefined && this.#ended.size > MAX_ENDED) this.#ended.delete(oldest);
    return true;
  }

  /** Returns how many there were. */
  putAwayIdle(): number {
    const { clock, idleMs } = this.#options;
    const idle = [...this.#sessions.values()].filter(
      ({ connection, usedAt }) => connection.isIdle && clock.monotonic() - usedAt > idleMs,
    );
    for (const { id } of idle) this.#putAway(id);
    return idle.length;
  }

  /** A session that this process does not know, but that it or an earlier one has begun. */
  #takeUp(id: string): Session | undefined {
    const client = this.#ended.has(id) ? undefined : this.#options.ids.read(id);
    const session = client && this.#open(id);
    if (!session) return undefined;
    const { name, ...said } = client;
    session.connection.request({
      jsonrpc: '2.0',
      id, // Which no client chooses for a request of its own.
      method: 'initialize',
      params: { ...said, clientInfo: { name, version: '0' } },
    });
    return session;
  }

  #open(id: string): Session | undefined {
    const { connections, max } = this.#options;
    if (this.#sessions.size >= max && !this.#putAwayOldest()) return undefined;
    let isFirst = true;
    const connection = connections.open('legacy', identityOf(id), (_connection, reply) => {
      if (isFirst && 'error' in reply) this.end(id); // What was not initialised is no session.
      isFirst = false;
    });
    return this.#touch({ id, connection });
  }

  #touch({ id, connection }: Session): Session {
    this.#sessions.delete(id);
    const session = { id, connection, usedAt: this.#options.clock.monotonic() };
    this.#sessions.set(id, session);
    return session;
  }

  #putAwayOldest(): boolean {
    const oldest = [...this.#sessions.values()].find(({ connection }) => connection.isIdle);
    if (oldest) this.#putAway(oldest.id);
    return oldest !== undefined;
  }

  #putAway(id: string): void {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    if (session) this.#options.connections.close(session.connection);
  }
}

/** The signature in the id: who knows only this cannot take part in the session. */
function identityOf(id: string): Identity {
  return { id: id.slice(id.lastIndexOf('.') + 1), isShared: false };
}
