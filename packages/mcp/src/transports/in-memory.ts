import type { Baton } from '@baton/core';
import { InMemoryTransport, type Transport } from '@modelcontextprotocol/server';
import { serveStdio as serveEras } from '@modelcontextprotocol/server/stdio';
import { createAdapter } from '../adapter.ts';

export interface InMemoryServer {
  /** The client's end: hand it to the `connect` of an MCP client. */
  readonly client: Transport;
  close(): Promise<void>;
}

/** A client in the same process, in both protocol eras. */
export function serveInMemory(baton: Baton): InMemoryServer {
  const [client, transport] = InMemoryTransport.createLinkedPair();
  const draining = new AbortController();
  const adapter = createAdapter(baton);
  const eras = serveEras(({ era }) => adapter.createServer(era, draining.signal), { transport });
  return {
    client,
    async close() {
      draining.abort();
      await eras.close();
    },
  };
}
