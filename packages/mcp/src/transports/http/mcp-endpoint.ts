import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { Code } from '../../protocol-error.ts';
import { isObject } from '../../shape.ts';
import {
  acceptFault,
  type Endpoint,
  type Endpoints,
  readMessage,
  sendAccepted,
} from './endpoint.ts';
import { type Era, eraOf, isModernHeader } from './era.ts';
import { Outlet } from './outlet.ts';
import { type Refusal, refusal, sendRefusal } from './refusal.ts';
import type { ClientFacts } from './session-ids.ts';
import type { Session } from './sessions.ts';

/** Streamable HTTP: stateless in the new era, with sessions in the old one. */
export function createMcpEndpoint(endpoints: Endpoints): Endpoint {
  const { log, patienceMs, connections, sessions, sharedIdentity } = endpoints;

  /** One request that nothing comes before or after. */
  const serveAlone = (era: Era, message: JSONRPCRequest, response: ServerResponse) => {
    const connection = connections.open(era, sharedIdentity, (replied) =>
      connections.close(replied),
    );
    const onGone = () => connections.close(connection);
    const outlet = new Outlet(response, { log, patienceMs, onGone });
    connection.request(message, outlet);
  };

  const serveInSession = (session: Session, message: JSONRPCRequest, response: ServerResponse) => {
    const { id, connection } = session;
    const outlet = new Outlet(response, {
      log,
      patienceMs,
      headers: { 'Mcp-Session-Id': id },
      onGone: () => connection.abandon(message.id),
    });
    connection.request(message, outlet);
  };

  const serveRequest = (
    message: JSONRPCRequest,
    request: IncomingMessage,
    response: ServerResponse,
  ) => {
    const era = eraOf(message, request.headers);
    if (typeof era !== 'string') return sendRefusal(response, era);
    if (era === 'modern') return serveAlone(era, message, response);
    if (message.method === 'initialize') {
      const session = sessions.create(clientFacts(message));
      if (!session) return sendRefusal(response, tooManySessions());
      return serveInSession(session, message, response);
    }
    if (sessionId(request) === undefined) return serveAlone(era, message, response);
    const session = findSession(request);
    if (!session) return sendRefusal(response, noSession(message.id));
    serveInSession(session, message, response);
  };

  /** What needs no answer belongs to a session, or means nothing. */
  const takeNote = (
    message: JSONRPCMessage,
    request: IncomingMessage,
    response: ServerResponse,
  ) => {
    const era = eraOf(message, request.headers);
    if (era === 'legacy' && sessionId(request) !== undefined) {
      const session = findSession(request);
      if (!session) return sendRefusal(response, noSession());
      session.connection.tell(message);
    }
    sendAccepted(response);
  };

  const findSession = (request: IncomingMessage) => sessions.find(sessionId(request) ?? '');

  return {
    async POST(request, response) {
      const fault = acceptFault(request, 'application/json', 'text/event-stream');
      if (fault) return sendRefusal(response, fault);
      const message = await readMessage(endpoints, request, response);
      if (message === undefined) return;
      if ('method' in message && 'id' in message) serveRequest(message, request, response);
      else takeNote(message, request, response);
    },

    GET(request, response) {
      const fault = sessionFault(request) ?? acceptFault(request, 'text/event-stream');
      if (fault) return sendRefusal(response, fault);
      const session = findSession(request);
      if (!session) return sendRefusal(response, noSession());
      const { id, connection } = session;
      const channel: Outlet = new Outlet(response, {
        log,
        patienceMs,
        headers: { 'Mcp-Session-Id': id },
        onGone() {
          connection.closeChannel(channel);
          sessions.find(id); // It was in use until now.
        },
      });
      connection.openChannel(channel);
    },

    DELETE(request, response) {
      const fault = sessionFault(request);
      if (fault) return sendRefusal(response, fault);
      if (!sessions.end(sessionId(request) ?? '')) return sendRefusal(response, noSession());
      response.writeHead(204).end();
    },
  };
}

/** Whatever is not as it should be here, `initialize` will refuse. */
function clientFacts({ params }: JSONRPCRequest): ClientFacts {
  const { protocolVersion, capabilities, clientInfo } = params ?? {};
  return {
    protocolVersion: onlyText(protocolVersion),
    capabilities: isObject(capabilities) ? capabilities : {},
    name: isObject(clientInfo) ? onlyText(clientInfo.name) : '',
  };
}

function onlyText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function sessionId({ headers }: IncomingMessage): string | undefined {
  const id = headers['mcp-session-id'];
  return Array.isArray(id) ? id[0] : id;
}

function sessionFault(request: IncomingMessage): Refusal | undefined {
  if (isModernHeader(request.headers)) {
    return refusal(405, 'method_not_allowed', 'This protocol version has POST only.', {
      next: 'Use subscriptions/listen to hear of changes.',
      headers: { Allow: 'POST' },
    });
  }
  if (sessionId(request) !== undefined) return undefined;
  return refusal(400, 'session_missing', 'The header Mcp-Session-Id is missing.', {
    next: 'Send initialize first; its response carries the header.',
  });
}

function noSession(id?: JSONRPCRequest['id']): Refusal {
  return refusal(404, 'session_not_found', 'There is no such session, or it has ended.', {
    next: 'Send initialize to start a new one.',
    rpcCode: Code.sessionNotFound,
    ...(id !== undefined && { id }),
  });
}

function tooManySessions(): Refusal {
  return refusal(503, 'too_many_sessions', 'There are too many sessions in use.', {
    next: 'End some with DELETE, or try again later.',
    headers: { 'Retry-After': 10 },
  });
}
