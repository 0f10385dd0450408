import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Baton } from '@baton/core';
import { createAdapter } from '../../adapter.ts';
import { Deadline } from '../deadline.ts';
import { Connections } from './connections.ts';
import { createTokenCheck } from './guard.ts';
import { createMcpEndpoint } from './mcp-endpoint.ts';
import { sendJson } from './refusal.ts';
import { createRouter } from './router.ts';
import { createSessionIds } from './session-ids.ts';
import { Sessions } from './sessions.ts';
import { createSseEndpoints } from './sse-endpoint.ts';

export interface Page {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

export interface HttpOptions {
  /** 0 takes any port that is free. */
  readonly port: number;
  readonly token: string;
  /** For a person who opens the address in a browser. Anybody on this machine can see it. */
  readonly page: (address: string) => Page;
  readonly maxMessageBytes?: number;
  /** How long calls may go on after `close` before they are cancelled. */
  readonly drainMs?: number;
  /** How often a quiet stream is kept alive, and a client that does not read is looked for. */
  readonly keepAliveMs?: number;
  readonly sessionIdleMs?: number;
  /** How long a client may take to send its headers. */
  readonly headersTimeoutMs?: number;
}

export interface HttpServer {
  /** `http://127.0.0.1:<port>` */
  readonly address: string;
  readonly port: number;
  /** Answers what is in flight, then closes. */
  close(): Promise<void>;
}

const DEFAULTS = {
  maxMessageBytes: 64 * 1024 * 1024,
  drainMs: 1300,
  keepAliveMs: 15_000,
  sessionIdleMs: 60 * 60_000,
  headersTimeoutMs: 10_000,
};
/** For a whole request; a large one may come through a slow tunnel. */
const REQUEST_TIMEOUT_MS = 120_000;
/** For an unused connection: long, because a client may be sending on it as we close it. */
const REUSE_TIMEOUT_MS = 75_000;
/** How long the last replies may take to leave. */
const FLUSH_MS = 400;
/** The header Mcp-Name can carry a long URI, encoded. */
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_CONNECTIONS = 1000;
const MAX_SESSIONS = 500;

/** MCP over HTTP on 127.0.0.1, for those who have the token. */
export async function serveHttp(baton: Baton, options: HttpOptions): Promise<HttpServer> {
  // Not loaded before it is needed: every process that serves stdio would pay for it.
  const { createServer } = await import('node:http');
  const settings = { ...DEFAULTS, ...options };
  const { headersTimeoutMs, keepAliveMs, sessionIdleMs, maxMessageBytes, drainMs } = settings;
  const log = baton.log.child('http');
  const draining = new AbortController();
  const adapter = createAdapter(baton);
  const connections = new Connections({ baton, adapter, draining: draining.signal });
  const { clock, ids } = baton;
  const sessions = new Sessions({
    clock,
    ids: await createSessionIds(options.token, ids),
    connections,
    idleMs: sessionIdleMs,
    max: MAX_SESSIONS,
  });
  const endpoints = {
    log,
    connections,
    sessions,
    maxMessageBytes,
    patienceMs: keepAliveMs,
    draining: draining.signal,
    sharedIdentity: { id: ids.next(), isShared: true },
  };
  const sse = createSseEndpoints(endpoints, () => ids.next());
  const router = createRouter({
    baton,
    checkToken: await createTokenCheck(options.token),
    draining: draining.signal,
    open: {
      '/': { GET: (_request, response) => sendPage(response, options.page(address)) },
      '/health': { GET: (_request, response) => sendHealth(response, baton, draining.signal) },
    },
    guarded: {
      '/mcp': createMcpEndpoint(endpoints),
      '/sse': sse.stream,
      '/messages': sse.messages,
    },
  });
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: REUSE_TIMEOUT_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: Math.min(headersTimeoutMs, 5000),
    },
    router,
  );
  server.maxConnections = MAX_CONNECTIONS;
  const port = await listen(server, options.port);
  const address = `http://127.0.0.1:${port}`;
  const timer = setInterval(() => {
    connections.tick();
    const count = sessions.putAwayIdle();
    if (count > 0) log.write('debug', `${count} unused sessions were put away`);
  }, keepAliveMs).unref();

  const close = async () => {
    log.write('info', `shutting down: ${connections.size} connections`);
    draining.abort();
    const closed = new Promise((resolve) => server.close(resolve));
    const deadline = new Deadline();
    deadline.within(drainMs);
    await connections.drain(deadline.passed);
    deadline.clear();
    clearInterval(timer);
    server.closeIdleConnections();
    // A client that does not read must not keep us from leaving.
    await Promise.race([closed, delay(FLUSH_MS, undefined, { ref: false })]);
    server.closeAllConnections();
  };
  let closing: Promise<void> | undefined;
  return {
    address,
    port,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** Never on an address that another machine could reach. */
function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function sendHealth(response: ServerResponse, { version }: Baton, draining: AbortSignal): void {
  const status = draining.aborted ? 'shutting down' : 'ok';
  const body = JSON.stringify({ name: 'baton', version, status });
  sendJson(response, draining.aborted ? 503 : 200, body);
}

function sendPage(response: ServerResponse, { html, contentSecurityPolicy }: Page): void {
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': contentSecurityPolicy,
    'Referrer-Policy': 'no-referrer',
  });
  response.end(html);
}
