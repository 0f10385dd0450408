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
  readonly finishMs?: number;
  /** Only what is written to the output tells whether somebody still reads it. */
  readonly isPipe?: boolean;
  /** Why nobody waits for answers any more, as far as the process can tell. */
  readonly abandoned?: () => string | undefined;
}

export interface StdioServer {
  /** Cancels what is not answered soon, then closes. When the input ends, calls have longer. */
  close(): Promise<void>;
  /** Settles when nothing more will be read or written. */
  readonly closed: Promise<void>;
}

const DEFAULT_MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
// Whoever sends a signal expects the process to be gone within two seconds.
const STOP_MS = 1300;
// The end of input alone (`echo … | baton`) says that no more calls come, not that nobody waits.
const DEFAULT_FINISH_MS = 30_000;

/** One JSON-RPC message per line, in both protocol eras. */
export function serveStdio(baton: Baton, options: StdioOptions): StdioServer {
  const log = baton.log.child('stdio');
  const adapter = createAdapter(baton);
  const wire = new LineTransport({
    input: options.input,
    output: options.output,
    maxMessageBytes: options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES,
    stopMs: STOP_MS,
    finishMs: options.finishMs ?? DEFAULT_FINISH_MS,
    isPipe: options.isPipe ?? false,
    abandoned: options.abandoned ?? (() => undefined),
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
