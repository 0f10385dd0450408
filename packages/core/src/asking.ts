import type * as z from 'zod';
import { readAnswer } from './answers.ts';
import type { MediaContent, Message } from './content.ts';
import { BatonError } from './errors.ts';

/** A form for the person behind the client. */
interface Form<Schema extends z.ZodObject = z.ZodObject> {
  readonly kind: 'ask';
  readonly message: string;
  readonly schema: Schema;
}

/** A conversation for the client's model to continue. */
interface Sampling {
  readonly kind: 'sample';
  readonly messages: readonly Message<MediaContent>[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
}

/** The folders that the client works in. */
interface RootsQuery {
  readonly kind: 'roots';
}

export type ClientRequest = Form | Sampling | RootsQuery;
/** Keys name the requests within the tool or prompt, so that answers find their way back. */
export type ClientRequests = Readonly<Record<string, ClientRequest>>;

interface Sample {
  readonly model: string;
  readonly content: readonly MediaContent[];
}

interface Root {
  readonly uri: string;
  readonly name?: string | undefined;
}

/** `undefined` means that the person declined. */
type Answer<Request> =
  Request extends Form<infer Schema>
    ? z.output<Schema> | undefined
    : Request extends Sampling
      ? Sample
      : readonly Root[];

interface Question<Schema extends z.ZodObject = z.ZodObject> {
  readonly key: string;
  readonly message: string;
  readonly schema: Schema;
}

export type ClientAbility = ClientRequest['kind'];
/** Which kinds of requests a client takes, as it has declared. */
export type ClientAbilities = Readonly<Record<ClientAbility, boolean>>;

/**
 * Asking the other side while a call runs. The tool or prompt is run again from the start once
 * the answers are there, so nothing may be written before.
 */
export interface Asking {
  readonly can: ClientAbilities;
  /** Whether the person is asked on a terminal of Baton's own, and not through a client. */
  readonly isTerminal?: boolean;
  /** Asks the person behind the client. */
  ask<Schema extends z.ZodObject>(question: Question<Schema>): z.output<Schema> | undefined;
  /** Makes several requests at once, of any kind. */
  askAll<const Requests extends ClientRequests>(
    requests: Requests,
  ): { readonly [Key in keyof Requests]: Answer<Requests[Key]> };
}

/** What the transport knows: what the client can do, and what it has answered in this call. */
export interface AskedBefore {
  readonly can?: ClientAbilities;
  readonly isTerminal?: boolean;
  /** By key, in the shape of the request's kind; `null` means declined. */
  readonly answers?: Readonly<Record<string, unknown>>;
}

/** Ends a run that needs answers first. */
export class AnswersNeeded extends Error {
  readonly requests: ClientRequests;
  constructor(requests: ClientRequests) {
    super(`Waits for answers to ${Object.keys(requests).join(', ')}`);
    this.requests = requests;
  }
}

/** Ends a run that needs what the client has not declared. */
export class CannotAsk extends BatonError {
  readonly missing: readonly ClientAbility[];
  constructor(who: string, requests: readonly ClientRequest[]) {
    const needs = requests.map((request) => `${who} ${need(request)}`);
    const features = [...new Set(requests.map(({ kind }) => FEATURE[kind]))];
    super(
      'cannot_ask',
      needs.join(' '),
      `Use a client that supports ${features.join(' and ')}, or give the answer in the arguments where there is one for it.`,
    );
    this.missing = [...new Set(requests.map(({ kind }) => kind))];
  }
}

const FEATURE = { ask: 'elicitation', sample: 'sampling', roots: 'roots' } as const;
export const NO_ABILITIES: ClientAbilities = { ask: false, sample: false, roots: false };

function need(request: ClientRequest): string {
  switch (request.kind) {
    case 'ask':
      return `has a question, and this client cannot show it: ${request.message}`;
    case 'sample':
      return 'needs the model of the client, and this client does not lend it.';
    case 'roots':
      return 'needs the roots of the client, and this client does not tell them.';
  }
}

/** `who` is the tool or prompt that asks, named to a client that cannot be asked. */
export function createAsking(
  who: string,
  { can = NO_ABILITIES, isTerminal = false, answers = {} }: AskedBefore,
): Asking {
  const askAll = (requests: ClientRequests): Record<string, unknown> => {
    const found: Record<string, unknown> = {};
    const open: Record<string, ClientRequest> = {};
    for (const [key, request] of Object.entries(requests)) {
      const read = Object.hasOwn(answers, key) ? readAnswer(request, answers[key]) : undefined;
      if (read) found[key] = read.value;
      // What is missing or makes no sense is asked for again.
      else open[key] = request;
    }
    const unable = Object.values(open).filter(({ kind }) => !can[kind]);
    if (unable.length > 0) throw new CannotAsk(who, unable);
    if (Object.keys(open).length > 0) throw new AnswersNeeded(open);
    return found;
  };
  return {
    can,
    isTerminal,
    askAll: askAll as Asking['askAll'],
    ask: ({ key, message, schema }) =>
      askAll({ [key]: { kind: 'ask', message, schema } })[key] as never,
  };
}
