import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '@baton/core';
import { redact } from '@baton/core';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { Identity } from '../../identity.ts';
import { cancelledByShutdown } from '../calls.ts';
import { type Frame, readFrame } from '../frame.ts';
import { readJson } from './body.ts';
import type { Connections } from './connections.ts';
import { type Refusal, refusal, sendRefusal } from './refusal.ts';
import type { Sessions } from './sessions.ts';

/** What the endpoints share. */
export interface Endpoints {
  readonly log: Log;
  readonly connections: Connections;
  readonly sessions: Sessions;
  readonly maxMessageBytes: number;
  /** How long a client may leave unread what was sent to it. */
  readonly patienceMs: number;
  readonly draining: AbortSignal;
  /** Of stateless requests: everybody has it who has the token. */
  readonly sharedIdentity: Identity;
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
/** A path's handlers by HTTP method. */
export type Endpoint = Readonly<Record<string, Handler>>;

/** The message of a POST; `undefined` if it was refused or needs no more than "accepted". */
export async function readMessage(
  { log, maxMessageBytes, draining }: Endpoints,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<JSONRPCMessage | undefined> {
  const body = await readJson(request, maxMessageBytes);
  if (body.kind === 'gone') return undefined;
  if (body.kind === 'refused') {
    sendRefusal(response, body.refusal);
    return undefined;
  }
  // It may have taken so long that nobody will wait for the answer.
  if (draining.aborted) {
    sendRefusal(response, shuttingDown());
    return undefined;
  }
  if (log.isEnabled('debug')) log.write('debug', `← ${redact(body.value)}`);
  const frame: Frame = readFrame(body.value);
  if (frame.kind === 'message') return frame.message;
  if (frame.kind === 'refused') sendRefusal(response, { status: 400, reply: frame.reply });
  else {
    log.write('warn', `ignored: ${frame.reason}`);
    sendAccepted(response);
  }
  return undefined;
}

export function shuttingDown(): Refusal {
  return { status: 503, reply: cancelledByShutdown(null) };
}

export function sendAccepted(response: ServerResponse): void {
  response.writeHead(202).end();
}

/** Refuses a client that could not understand what it is going to be sent. */
export function acceptFault({ headers }: IncomingMessage, ...types: string[]): Refusal | undefined {
  const accepted = (headers.accept ?? '*/*').split(',').map((each) => each.split(';')[0]?.trim());
  const isAccepted = (type: string) =>
    [type, `${type.split('/')[0]}/*`, '*/*'].some((each) => accepted.includes(each));
  if (types.every(isAccepted)) return undefined;
  return refusal(406, 'not_acceptable', `The client must accept ${types.join(' and ')}.`, {
    next: `Send the header \`Accept: ${types.join(', ')}\`.`,
  });
}
