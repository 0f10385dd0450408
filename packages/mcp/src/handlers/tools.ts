import type { CallContext, CallOutcome } from '@baton/core';
import type { Notification, ServerContext } from '@modelcontextprotocol/server';
import type { Connection } from '../adapter.ts';
import { callerOf } from '../caller-of.ts';
import { toMcpContent } from '../content.ts';
import { toMcpLevel } from '../log-levels.ts';
import { pageOf } from '../paging.ts';
import type { ProtocolServer } from '../protocol-server.ts';
import {
  type AskedContext,
  type AskingCall,
  askedBefore,
  cannotAsk,
  inputRequired,
} from './questions.ts';

export function handleTools(server: ProtocolServer, connection: Connection): void {
  const { baton, descriptions } = connection;

  server.on('tools/list', ({ cursor }) => {
    const { items, ...next } = pageOf(descriptions(), cursor, (tool) => tool.name);
    return { tools: [...items], ...next };
  });

  server.on('tools/call', async ({ name, arguments: args }, context) => {
    const call: AskingCall = { method: 'tools/call', name, args, context };
    const known = askedBefore(server, connection, call);
    const before: AskedContext = known instanceof Promise ? await known : known;
    const outcome = await baton.call(name, args, callContext(server, connection, context, before));
    if (outcome.kind === 'question') {
      return inputRequired(connection, call, outcome.requests, before.answers);
    }
    if (outcome.kind === 'error' && outcome.missing && connection.era === 'modern') {
      throw cannotAsk(outcome.error, outcome.missing);
    }
    return toolResult(outcome);
  });
}

function toolResult(outcome: Exclude<CallOutcome, { kind: 'question' }>) {
  return outcome.kind === 'result'
    ? {
        content: outcome.content.map(toMcpContent),
        structuredContent: outcome.data as Record<string, unknown>,
      }
    : {
        content: [{ type: 'text', text: outcome.text }],
        structuredContent: { ...outcome.error },
        isError: true,
      };
}

function callContext(
  server: ProtocolServer,
  connection: Connection,
  context: ServerContext,
  { signal, can, answers }: AskedContext,
): CallContext {
  const progressToken = context.mcpReq._meta?.progressToken;
  return {
    signal,
    can,
    answers,
    draining: connection.draining,
    // Most tools do not ask for it.
    get caller() {
      return callerOf(server, connection.identity, context);
    },
    clientLog(level, message) {
      if (!connection.wantsLog(level, context)) return;
      notify(context, {
        method: 'notifications/message',
        params: { level: toMcpLevel(level), logger: 'baton', data: message },
      });
    },
    ...(progressToken !== undefined && {
      progress: (update) => {
        notify(context, {
          method: 'notifications/progress',
          params: { progressToken, ...update },
        });
      },
    }),
  };
}

/** Tells the client something on the side; if it has gone meanwhile, nothing is lost. */
function notify({ mcpReq }: ServerContext, notification: Notification): void {
  mcpReq.notify(notification).catch(() => {});
}
