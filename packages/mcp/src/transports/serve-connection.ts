import type { Transport } from '@modelcontextprotocol/server';
import { serveStdio as serveEras } from '@modelcontextprotocol/server/stdio';
import type { Adapter } from '../adapter.ts';
import type { Identity } from '../identity.ts';
import { ListeningTransport } from './listening.ts';

export interface ConnectionOptions {
  readonly transport: Transport;
  readonly draining: AbortSignal;
  readonly identity: Identity;
  readonly onerror?: (error: Error) => void;
}

/** Serves one client over whatever wire it is on, in the era that it begins with. */
export function serveConnection(
  adapter: Adapter,
  { transport, draining, identity, onerror }: ConnectionOptions,
): { close(): Promise<void> } {
  return serveEras(({ era }) => adapter.createServer(era, draining, identity), {
    transport: new ListeningTransport(transport, adapter.watches),
    ...(onerror && { onerror }),
  });
}
