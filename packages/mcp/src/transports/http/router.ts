import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Baton, describeError } from '@baton/core';
import { type Endpoint, type Handler, shuttingDown } from './endpoint.ts';
import { type Check, checkHost, checkOrigin } from './guard.ts';
import { type Refusal, refusal, sendRefusal } from './refusal.ts';

type Endpoints = Readonly<Record<string, Endpoint>>;

export interface RouterOptions {
  readonly baton: Baton;
  readonly checkToken: Check;
  readonly draining: AbortSignal;
  /** By path, what anybody on this machine may see, and what needs the token. */
  readonly open: Endpoints;
  readonly guarded: Endpoints;
}

const COMMON_HEADERS = Object.entries({
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
});

/** Brings a request to its handler, or refuses it. */
export function createRouter(options: RouterOptions) {
  const { baton, checkToken, draining, open, guarded } = options;
  const endpoints = { ...open, ...guarded };
  const log = baton.log.child('http');

  /** The order is part of the protection: nothing is looked at before the check that guards it. */
  const find = (request: IncomingMessage): Handler | Refusal => {
    const [path = ''] = (request.url ?? '').split('?');
    const isGuarded = Object.hasOwn(guarded, path);
    const refused =
      checkHost(request) ?? checkOrigin(request) ?? (isGuarded ? checkToken(request) : undefined);
    if (refused) {
      // In our own words only: what a stranger has said does not belong in a log.
      log.write('warn', `refused: ${refused.reply.error.message}`);
      return refused;
    }
    const endpoint = own(endpoints, path);
    if (!endpoint) return notFound();
    const handler = own(endpoint, request.method ?? '');
    if (!handler) return methodNotAllowed(endpoint);
    if (isGuarded && draining.aborted) return shuttingDown();
    return handler;
  };

  const handle: Handler = (request, response) => {
    const found = find(request);
    if (typeof found === 'function') return found(request, response);
    sendRefusal(response, found);
  };

  return (request: IncomingMessage, response: ServerResponse): void => {
    for (const [name, value] of COMMON_HEADERS) response.setHeader(name, value);
    if (draining.aborted) response.setHeader('Connection', 'close');
    Promise.resolve()
      .then(() => handle(request, response))
      .catch((error: unknown) => {
        const fault = baton.ids.next();
        log.write('error', `fault ${fault}: ${describeError(error)}`);
        if (response.headersSent) response.destroy();
        else sendRefusal(response, failed(fault));
      });
  };
}

/** Not what every object has, such as `constructor`. */
function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function notFound() {
  return refusal(404, 'not_found', 'There is nothing at this path.', {
    next: 'MCP is at /mcp.',
  });
}

function methodNotAllowed(endpoint: Endpoint) {
  const allowed = Object.keys(endpoint).join(', ');
  return refusal(405, 'method_not_allowed', 'This method is not served here.', {
    next: `Use ${allowed}.`,
    headers: { Allow: allowed },
  });
}

function failed(fault: string) {
  return refusal(500, 'internal_error', `The request failed inside Baton (fault ${fault}).`, {
    next: `Look for ${fault} in Baton's log (\`baton doctor\` says where it is).`,
  });
}
