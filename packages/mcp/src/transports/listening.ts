import type {
  JSONRPCMessage,
  JSONRPCRequest,
  MessageExtraInfo,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/server';
import { ProtocolError } from '@modelcontextprotocol/server';
import type { ResourceWatches } from '../resource-watches.ts';
import { isObject } from '../shape.ts';
import { Subscriptions } from '../subscriptions.ts';
import { errorReply, type RequestId } from './frame.ts';

/**
 * A wire on which resources are watched while the client listens to them. The SDK answers
 * `subscriptions/listen` by itself, so that only here can be seen when one begins and ends.
 */
export class ListeningTransport implements Transport {
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  readonly #wire: Transport;
  readonly #subscriptions: Subscriptions<RequestId>;

  constructor(wire: Transport, watches: ResourceWatches) {
    this.#wire = wire;
    this.#subscriptions = new Subscriptions(watches);
    wire.onmessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) => {
      if (this.#take(message)) this.onmessage?.(message, extra);
    };
    wire.onerror = (error) => this.onerror?.(error);
    wire.onclose = () => {
      this.#subscriptions.close();
      this.onclose?.();
    };
  }

  start(): Promise<void> {
    return this.#wire.start();
  }

  /** A reply ends what it replies to: the request was refused, or the server closes. */
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!('method' in message)) this.#subscriptions.remove(message.id as RequestId);
    return this.#wire.send(message, options);
  }

  close(): Promise<void> {
    return this.#wire.close();
  }

  /** Whether the message is to be handed on. */
  #take(message: JSONRPCMessage): boolean {
    if (!('method' in message)) return true;
    if (message.method === 'notifications/cancelled') {
      this.#subscriptions.remove(message.params?.requestId as RequestId);
    }
    if (message.method === 'subscriptions/listen' && 'id' in message) return this.#listen(message);
    return true;
  }

  #listen(request: JSONRPCRequest): boolean {
    const uris = urisIn(request);
    if (uris.length === 0) return true;
    try {
      this.#subscriptions.add(request.id, uris);
      return true;
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      const reply = errorReply(request.id, error.code, error.message);
      this.send(reply).catch((failure: unknown) => this.onerror?.(failure as Error));
      return false;
    }
  }
}

/** Whatever else is in the filter, or wrong with it, the SDK will say. */
function urisIn({ params }: JSONRPCRequest): readonly string[] {
  const filter = params?.notifications;
  const uris = isObject(filter) ? filter.resourceSubscriptions : undefined;
  if (!Array.isArray(uris)) return [];
  return [...new Set(uris.filter((uri) => typeof uri === 'string'))];
}
