import {
  acceptFault,
  type Endpoint,
  type Endpoints,
  readMessage,
  sendAccepted,
} from './endpoint.ts';
import type { HttpConnection } from './http-connection.ts';
import { Outlet } from './outlet.ts';
import { refusal, sendRefusal } from './refusal.ts';

/**
 * The transport of protocol version 2024-11-05: one long stream for all replies, and a path to
 * post messages to. A client keeps its stream open as long as it lives, and so long it is known.
 */
export function createSseEndpoints(
  endpoints: Endpoints,
  newId: () => string,
): { readonly stream: Endpoint; readonly messages: Endpoint } {
  const { log, patienceMs, connections } = endpoints;
  const open = new Map<string, HttpConnection>();

  const stream: Endpoint = {
    GET(request, response) {
      const fault = acceptFault(request, 'text/event-stream');
      if (fault) return sendRefusal(response, fault);
      const id = newId();
      const connection = connections.open('legacy', { id, isShared: false });
      const channel = new Outlet(response, {
        log,
        patienceMs,
        onGone() {
          open.delete(id);
          connections.close(connection);
        },
      });
      open.set(id, connection);
      channel.pushEvent('endpoint', `/messages?sessionId=${id}`);
      connection.openChannel(channel);
    },
  };

  const messages: Endpoint = {
    async POST(request, response) {
      const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
      const connection = open.get(searchParams.get('sessionId') ?? '');
      if (!connection) {
        return sendRefusal(
          response,
          refusal(404, 'session_not_found', 'There is no such stream, or it has ended.', {
            next: 'Open a new one with GET /sse.',
          }),
        );
      }
      const message = await readMessage(endpoints, request, response);
      if (message === undefined) return;
      sendAccepted(response);
      if ('method' in message && 'id' in message) connection.request(message);
      else connection.tell(message);
    },
  };

  return { stream, messages };
}
