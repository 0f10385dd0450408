import type { CallContext, CallOutcome, Question } from '@baton/core';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputResponse,
  type Notification,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Connection } from '../adapter.ts';
import { toMcpLevel } from '../log-levels.ts';
import { pageOf } from '../paging.ts';
import type { ProtocolServer } from '../protocol-server.ts';
import { callFingerprint } from '../question-state.ts';

export function handleTools(server: ProtocolServer, connection: Connection): void {
  const { baton, descriptions, questions, scope } = connection;

  server.on('tools/list', ({ cursor }) => {
    const { items, ...next } = pageOf(descriptions(), cursor, (tool) => tool.name);
    return { tools: [...items], ...next };
  });

  server.on('tools/call', async ({ name, arguments: args }, context) => {
    const asked = answersFor(connection, context, name, args);
    const answers = asked instanceof Promise ? await asked : asked;
    const outcome = await baton.call(name, args, callContext(server, connection, context, answers));
    if (outcome.kind !== 'question') return toolResult(outcome);
    return {
      resultType: 'input_required',
      inputRequests: { [outcome.question.key]: elicitation(outcome.question) },
      requestState: await questions.mint(scope(), await callFingerprint(name, args), answers),
    };
  });
}

/** The SDK has a builder for this; importing it would make 150 schemas at every start. */
function elicitation({ message, schema }: Question): object {
  const { properties, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  const requestedSchema = { type: 'object', properties, required };
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } };
}

function toolResult(outcome: Exclude<CallOutcome, { kind: 'question' }>) {
  const content = [{ type: 'text' as const, text: outcome.text }];
  return outcome.kind === 'result'
    ? { content, structuredContent: { ...outcome.data } }
    : { content, structuredContent: { ...outcome.error }, isError: true };
}

type Answers = Readonly<Record<string, unknown>>;
const NO_ANSWERS: Answers = Object.freeze({});

/** What the person has answered so far, in earlier rounds and in this one. */
function answersFor(
  { questions, scope }: Connection,
  { mcpReq }: ServerContext,
  name: string,
  args: unknown,
): Answers | Promise<Answers> {
  const state = mcpReq.requestState();
  const latest = mcpReq.inputResponses ? answersIn(mcpReq.inputResponses) : NO_ANSWERS;
  if (state === undefined) return latest;
  return callFingerprint(name, args).then((call) => ({
    ...questions.answers(state, scope(), call),
    ...latest,
  }));
}

function answersIn(responses: Answers): Answers {
  const answers: Record<string, unknown> = {};
  for (const key of Object.keys(responses)) {
    const response = inputResponse(responses as never, key);
    if (response.kind !== 'elicit') continue;
    answers[key] = response.action === 'accept' ? (response.content ?? {}) : null;
  }
  return answers;
}

function callContext(
  server: ProtocolServer,
  connection: Connection,
  context: ServerContext,
  answers: Answers,
): CallContext {
  const { mcpReq } = context;
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
  const capabilities =
    (envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ??
    server.getClientCapabilities();
  const progressToken = mcpReq._meta?.progressToken;
  return {
    signal: mcpReq.signal,
    draining: connection.draining,
    answers,
    canAsk: capabilities?.elicitation !== undefined,
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
