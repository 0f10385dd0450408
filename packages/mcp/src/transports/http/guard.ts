import type { IncomingMessage } from 'node:http';
import { type Refusal, refusal } from './refusal.ts';

export type Check = (request: IncomingMessage) => Refusal | undefined;

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * A web page that had its own name point to 127.0.0.1 still says that name here. The port is left
 * out of it: a tunnel comes in on another one.
 */
export function checkHost({ headersDistinct }: IncomingMessage): Refusal | undefined {
  const hosts = headersDistinct.host ?? [];
  const [host = ''] = hosts;
  const isOurs = hosts.length === 1 && LOOPBACK.includes(host.toLowerCase().replace(/:\d*$/, ''));
  if (isOurs) return undefined;
  return refusal(403, 'forbidden_host', 'This Host is not served here.', {
    next: 'Use the address that `baton serve` has printed: http://127.0.0.1 or http://localhost.',
  });
}

/** Only browsers send an Origin, and then only pages from this machine may speak to us. */
export function checkOrigin({ headersDistinct }: IncomingMessage): Refusal | undefined {
  const origins = headersDistinct.origin ?? [];
  if (origins.length === 0) return undefined;
  if (origins.length === 1 && isLoopbackOrigin(origins[0] ?? '')) return undefined;
  return refusal(403, 'forbidden_origin', 'Pages from this Origin are not served here.', {
    next: 'Call Baton from a program, or from a page on http://127.0.0.1 or http://localhost.',
  });
}

function isLoopbackOrigin(origin: string): boolean {
  const [, host = ''] = /^https?:\/\/([^/:]+|\[[^/\]]+\])(?::\d+)?$/i.exec(origin) ?? [];
  return LOOPBACK.includes(host.toLowerCase());
}

/** Says whether a request carries the token, in a time that tells nothing about it. */
export async function createTokenCheck(token: string): Promise<Check> {
  // Not loaded before it is needed: every process that serves stdio would pay for it.
  const { createHash, timingSafeEqual } = await import('node:crypto');
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(token);
  return ({ headers }) => {
    const [, given = ''] = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
    if (timingSafeEqual(digest(given), expected)) return undefined;
    const what = headers.authorization ? 'The bearer token is not right.' : 'A token is missing.';
    return refusal(401, 'unauthorized', what, {
      next: 'Send the header `Authorization: Bearer <token>`; `baton serve` tells where the token is.',
      headers: { 'WWW-Authenticate': 'Bearer realm="baton"' },
    });
  };
}
