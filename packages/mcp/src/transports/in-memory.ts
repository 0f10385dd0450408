import type { Baton } from '@baton/core';
import { InMemoryTransport, type Transport } from '@modelcontextprotocol/server';
import { createAdapter } from '../adapter.ts';
import { ownIdentity } from '../identity.ts';
import { serveConnection } from './serve-connection.ts';

export interface InMemoryServer {
  /** The client's end: hand it to the `connect` of an MCP client. */
  readonly client: Transport;
  close(): Promise<void>;
}

/** A client in the same process, in both protocol eras. */
export function serveInMemory(baton: Baton): InMemoryServer {
  const [client, transport] = InMemoryTransport.createLinkedPair();
  const draining = new AbortController();
  const connection = serveConnection(createAdapter(baton), {
    transport,
    draining: draining.signal,
    identity: ownIdentity(baton.ids),
  });
  return {
    client,
    async close() {
      draining.abort();
      await connection.close();
    },
  };
}
