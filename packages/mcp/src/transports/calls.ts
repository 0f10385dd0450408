import type { JSONRPCErrorResponse, JSONRPCMessage } from '@modelcontextprotocol/server';
import { Code } from '../protocol-error.ts';
import { type BareCalls, type ReplyShape, toToolCall } from './bare-call.ts';
import { errorReply, type RequestId } from './frame.ts';

interface Call {
  /** How a bare call is answered. */
  readonly shape: ReplyShape | undefined;
  /** Subscriptions are open until somebody ends them, so nobody waits for them to finish. */
  readonly isSubscription: boolean;
}

export type Accepted =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | { readonly kind: 'refused'; readonly reply: JSONRPCErrorResponse };

/** The requests of one connection that wait for their reply: each id once, each answered once. */
export class Calls {
  readonly #bareCalls: BareCalls;
  readonly #open = new Map<RequestId, Call>();
  /** Requests of ours that the client has not answered. */
  readonly #asked = new Set<RequestId>();
  #unanswered = 0;
  #onIdle: () => void = () => {};

  constructor(bareCalls: BareCalls) {
    this.#bareCalls = bareCalls;
  }

  /** What to hand on of a message that came in, or the refusal to send back. */
  accept(message: JSONRPCMessage): Accepted {
    if (!('method' in message)) {
      this.#asked.delete(message.id as RequestId);
      return { kind: 'message', message };
    }
    if (!('id' in message)) {
      // A cancelled request gets no reply, so its id is free again.
      if (message.method === 'notifications/cancelled') {
        this.forget(message.params?.requestId as RequestId);
      }
      return { kind: 'message', message };
    }
    const { id, method } = message;
    if (this.#open.has(id)) {
      const text = `Invalid Request: id ${JSON.stringify(id)} is already in flight`;
      return { kind: 'refused', reply: errorReply(id, Code.invalidRequest, text) };
    }
    const shape = this.#bareCalls(method);
    const isSubscription = method === 'subscriptions/listen';
    this.#open.set(id, { shape, isSubscription });
    if (!isSubscription) this.#unanswered += 1;
    return { kind: 'message', message: shape ? toToolCall(message) : message };
  }

  /** A message on its way out: a reply ends its call. */
  settle(message: JSONRPCMessage): JSONRPCMessage {
    if ('method' in message) {
      if ('id' in message) this.#asked.add(message.id);
      return message;
    }
    const id = message.id as RequestId;
    const shape = this.#open.get(id)?.shape;
    this.forget(id);
    return shape ? shape(message) : message;
  }

  forget(id: RequestId): void {
    const call = this.#open.get(id);
    if (!call) return;
    this.#open.delete(id);
    if (call.isSubscription) return;
    this.#unanswered -= 1;
    if (this.#unanswered === 0) this.#onIdle();
  }

  clear(): void {
    this.#open.clear();
    this.#unanswered = 0;
    this.#onIdle();
  }

  /** Takes back what the client was asked and can no longer answer. */
  takeAsked(): readonly RequestId[] {
    const asked = [...this.#asked];
    this.#asked.clear();
    return asked;
  }

  /** Those that somebody waits for. */
  get unanswered(): readonly RequestId[] {
    return [...this.#open].filter(([, call]) => !call.isSubscription).map(([id]) => id);
  }

  /** Resolves when every call has been answered, or when the time is up. */
  untilIdle(timeUp: Promise<void>): Promise<void> {
    if (this.#unanswered === 0) return Promise.resolve();
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    return Promise.race([idle, timeUp]);
  }
}

/** Stands for the answer to a question of ours when the client can no longer send one. */
export function unanswerable(id: RequestId): JSONRPCErrorResponse {
  return errorReply(id, Code.shuttingDown, 'The client has closed its side: it cannot answer.');
}

/** What a call gets that still ran when the time to drain was over. */
export function cancelledByShutdown(id: RequestId | null): JSONRPCErrorResponse {
  return errorReply(id, Code.shuttingDown, 'Cancelled: Baton is shutting down.', {
    code: 'shutting_down',
    next: 'Start Baton again and repeat the call.',
  });
}
