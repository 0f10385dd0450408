import type { Readable, Writable } from 'node:stream';
import type { Baton } from '@baton/core';
import { createAdapter } from '../adapter.ts';
import { ownIdentity } from '../identity.ts';
import { createBareCalls } from './bare-call.ts';
import { LineTransport } from './line-transport.ts';
import { serveConnection } from './serve-connection.ts';

export interface StdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxMessageBytes?: number;
  /** How long calls may go on after the end of input before they are cancelled. */
  readonly drainMs?: number;
}

export interface StdioServer {
  /** Answers what is in flight, then closes. The same happens when the input ends. */
  close(): Promise<void>;
  /** Settles when nothing more will be read or written. */
  readonly closed: Promise<void>;
}

const DEFAULT_MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
// Clients expect the process to be gone within two seconds.
const DEFAULT_DRAIN_MS = 1300;

/** One JSON-RPC message per line, in both protocol eras. */
export function serveStdio(baton: Baton, options: StdioOptions): StdioServer {
  const log = baton.log.child('stdio');
  const adapter = createAdapter(baton);
  const wire = new LineTransport({
    input: options.input,
    output: options.output,
    maxMessageBytes: options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES,
    drainMs: options.drainMs ?? DEFAULT_DRAIN_MS,
    log,
    bareCalls: createBareCalls(baton),
    onDrained: () => connection.close(),
  });
  const connection = serveConnection(adapter, {
    transport: wire,
    draining: wire.draining,
    identity: ownIdentity(baton.ids),
    onerror: (error) => log.write('warn', error.message),
  });
  return { close: () => wire.drain('asked to close'), closed: wire.closed };
}
