import {
  type CallContext,
  type ClientAbilities,
  type ClientAbility,
  type ClientRequest,
  type ClientRequests,
  type ErrorReport,
  escapeData,
} from '@baton/core';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputResponse,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Connection } from '../adapter.ts';
import { formSchema } from '../form-fields.ts';
import { missingCapability } from '../protocol-error.ts';
import type { ProtocolServer } from '../protocol-server.ts';
import { type Answers, callFingerprint } from '../question-state.ts';

const NO_ANSWERS: Answers = Object.freeze({});

export type AskedContext = Required<Pick<CallContext, 'signal' | 'can' | 'answers'>>;

/** A call that may ask the client: what it is, and in which request it came. */
export interface AskingCall {
  readonly method: 'tools/call' | 'prompts/get';
  readonly name: string;
  readonly args: unknown;
  readonly context: ServerContext;
}

/** What the client can be asked, and what it has answered so far, in this round and before. */
export function askedBefore(
  server: ProtocolServer,
  connection: Connection,
  call: AskingCall,
): AskedContext | Promise<AskedContext> {
  const { mcpReq } = call.context;
  const state = mcpReq.requestState();
  const can = abilities(server, call.context);
  const { signal } = mcpReq;
  // An answer without a state answers nothing: whoever sends it was never asked.
  if (state === undefined) return { signal, can, answers: NO_ANSWERS };
  const latest = mcpReq.inputResponses ? answersIn(mcpReq.inputResponses) : NO_ANSWERS;
  const { questions, identity } = connection;
  return fingerprint(call).then((print) => ({
    signal,
    can,
    answers: questions.answers(state, identity.id, print, latest),
  }));
}

/** The result that asks: the SDK turns it into requests of their own for old clients. */
export async function inputRequired(
  { questions, identity }: Connection,
  call: AskingCall,
  requests: ClientRequests,
  answers: Answers,
): Promise<Result> {
  const inputRequests = Object.fromEntries(
    Object.entries(requests).map(([key, request]) => [key, toMcpRequest(request)]),
  );
  const print = await fingerprint(call);
  return {
    resultType: 'input_required',
    inputRequests,
    requestState: await questions.mint(identity.id, print, Object.keys(requests), answers),
  };
}

/** The new era's own error for what a client would have to declare first. */
export function cannotAsk(report: ErrorReport, missing: readonly ClientAbility[]) {
  return missingCapability(report, Object.assign({}, ...missing.map((kind) => CAPABILITY[kind])));
}

const CAPABILITY: Readonly<Record<ClientAbility, ClientCapabilities>> = {
  ask: { elicitation: { form: {} } },
  sample: { sampling: {} },
  roots: { roots: {} },
};

function fingerprint({ method, name, args }: AskingCall): Promise<string> {
  return callFingerprint(method, name, args);
}

function abilities(server: ProtocolServer, { mcpReq }: ServerContext): ClientAbilities {
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const { elicitation, sampling, roots } = declared ?? server.getClientCapabilities() ?? {};
  return {
    // A client that names no mode means forms, which were the only one once.
    ask: elicitation !== undefined && !(elicitation.url && !elicitation.form),
    sample: sampling !== undefined,
    roots: roots !== undefined,
  };
}

function answersIn(responses: Answers): Answers {
  const answers: Record<string, unknown> = {};
  for (const key of Object.keys(responses)) {
    const response = inputResponse(responses as never, key);
    if (response.kind === 'elicit') {
      answers[key] = response.action === 'accept' ? (response.content ?? {}) : null;
    } else if (response.kind === 'sampling') answers[key] = response.result;
    else if (response.kind === 'roots') answers[key] = response.roots;
  }
  return answers;
}

/** The SDK has builders for this; importing them would make 150 schemas at every start. */
function toMcpRequest(request: ClientRequest): object {
  switch (request.kind) {
    case 'ask': {
      const requestedSchema = formSchema(request.schema);
      const params = { mode: 'form', message: request.message, requestedSchema };
      return { method: 'elicitation/create', params: escapeData(params) };
    }
    case 'sample': {
      const { kind: _, ...params } = request;
      return { method: 'sampling/createMessage', params: escapeData(params) };
    }
    case 'roots':
      return { method: 'roots/list', params: {} };
  }
}
