import type { Transport } from '@modelcontextprotocol/server';
import { serveStdio as serveEras } from '@modelcontextprotocol/server/stdio';
import type { Adapter } from '../adapter.ts';
import { ListeningTransport } from './listening.ts';

export interface ConnectionOptions {
  readonly transport: Transport;
  readonly draining: AbortSignal;
  /** Whose questions it asks, if it does not live until the answer. */
  readonly scope?: () => string;
  readonly onerror?: (error: Error) => void;
}

/** Serves one client over whatever wire it is on, in the era that it begins with. */
export function serveConnection(
  adapter: Adapter,
  { transport, draining, scope, onerror }: ConnectionOptions,
): { close(): Promise<void> } {
  return serveEras(({ era }) => adapter.createServer(era, draining, scope), {
    transport: new ListeningTransport(transport, adapter.watches),
    ...(onerror && { onerror }),
  });
}
