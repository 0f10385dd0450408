import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from '../listen.ts';
import { Exchange } from './exchange.ts';
import { isLocal, isNewEra, mismatch } from './http-rules.ts';
import type { Command } from './line-process.ts';
import { errorReply, type Id, type Message } from './messages.ts';
import { NewEra } from './new-era.ts';
import { OldSession } from './old-era.ts';

/** Streamable HTTP in front, `baton stdio` behind: the suite knows no other way to a server. */
export async function openBridge(command: Command) {
  const newEra = new NewEra(command);
  const sessions = new Map<string, OldSession>();

  const server = await listen((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isLocal(request.headers)) return new Exchange(response).end(403);
    if (request.method !== 'POST') return serveSession(request, response);
    const message = (await json(request)) as Message;
    if (isNewEra(request.headers, message)) serveNew(request.headers, message, response);
    else serveOld(request.headers, message, response);
  }

  function serveNew(headers: IncomingHttpHeaders, message: Message, response: ServerResponse) {
    const exchange = new Exchange(response);
    const wrong = mismatch(headers, message);
    if (wrong === undefined) newEra.post(message, exchange);
    else exchange.answer(errorReply(idOf(message), -32020, `${wrong} and body differ`), 400);
  }

  function serveOld(headers: IncomingHttpHeaders, message: Message, response: ServerResponse) {
    const isFirst = message.method === 'initialize';
    const session = isFirst ? new OldSession(command) : sessions.get(sessionId(headers));
    if (!session) return new Exchange(response).end(404);
    sessions.set(session.id, session);
    session.post(message, new Exchange(response, { 'mcp-session-id': session.id }));
  }

  async function serveSession({ method, headers }: IncomingMessage, response: ServerResponse) {
    const exchange = new Exchange(response);
    const session = sessions.get(sessionId(headers));
    if (!session) return exchange.end(404);
    if (method === 'GET') {
      // Many clients just leave; a process for each of them would stay until the end.
      exchange.onGone(() => void end(session));
      session.listen(exchange);
    } else if (method === 'DELETE') {
      await end(session);
      exchange.end(200);
    } else exchange.end(405);
  }

  async function end(session: OldSession): Promise<void> {
    sessions.delete(session.id);
    await session[Symbol.asyncDispose]();
  }

  return {
    url: server.url,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      const processes = [newEra, ...sessions.values()];
      await Promise.all(processes.map((each) => each[Symbol.asyncDispose]()));
    },
  };
}

function sessionId(headers: IncomingHttpHeaders): string {
  return String(headers['mcp-session-id']);
}

function idOf({ id }: Message): Id | null {
  return id ?? null;
}
