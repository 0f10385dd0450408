import type { CallOutcome } from '@baton/core';
import type { Connection } from '../adapter.ts';
import { toMcpContent } from '../content.ts';
import { pageOf } from '../paging.ts';
import type { ProtocolServer } from '../protocol-server.ts';
import {
  type AskedContext,
  type AskingCall,
  askedBefore,
  cannotAsk,
  inputRequired,
} from './questions.ts';
import { RequestCall } from './request-call.ts';

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
    const running = new RequestCall(server, connection, context, before);
    const outcome = await baton.call(name, args, running);
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
