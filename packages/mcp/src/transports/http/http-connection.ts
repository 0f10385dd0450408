import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/server';
import { Code } from '../../protocol-error.ts';
import type { BareCalls } from '../bare-call.ts';
import { Calls, cancelledByShutdown } from '../calls.ts';
import type { RequestId } from '../frame.ts';
import type { Outlet } from './outlet.ts';

/** A session may hold this many streams of its own; the oldest makes room. */
const MAX_CHANNELS = 4;

// Errors of the protocol itself have a status of their own in the new era; a tool's have not.
const MODERN_STATUS: Readonly<Record<number, number>> = {
  [Code.methodNotFound]: 404,
  [Code.headerMismatch]: 400,
  [Code.missingCapability]: 400,
  [Code.unsupportedVersion]: 400,
};

export interface HttpConnectionOptions {
  readonly era: 'legacy' | 'modern';
  readonly bareCalls: BareCalls;
  /** Called with each reply, once it is on its way. */
  readonly onReplied?: (reply: JSONRPCMessage) => void;
}

/**
 * The wire below the SDK for whatever one client says over HTTP: a session of the old era, or a
 * single request of the new one. Each reply goes out on the response to its own request.
 */
export class HttpConnection implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  readonly #options: HttpConnectionOptions;
  readonly #calls: Calls;
  readonly #outlets = new Map<RequestId, Outlet>();
  #channels: Outlet[] = [];
  #isClosed = false;

  constructor(options: HttpConnectionOptions) {
    this.#options = options;
    this.#calls = new Calls(options.bareCalls);
  }

  async start(): Promise<void> {}

  /** A request with the response that is its own, or without one where all go out on a channel. */
  request(message: JSONRPCMessage & { id: RequestId }, outlet?: Outlet): void {
    const accepted = this.#calls.accept(message);
    if (accepted.kind === 'refused') {
      if (outlet) outlet.finish(accepted.reply, 400);
      else this.#channels.at(-1)?.push(accepted.reply);
      return;
    }
    if (outlet) this.#outlets.set(message.id, outlet);
    this.onmessage?.(accepted.message);
  }

  /** A notification, or the answer to something that we have asked. */
  tell(message: JSONRPCMessage): void {
    const accepted = this.#calls.accept(message);
    if ('method' in message && message.method === 'notifications/cancelled') {
      this.#take(message.params?.requestId as RequestId)?.end();
    }
    if (accepted.kind === 'message') this.onmessage?.(accepted.message);
  }

  /** The client has closed the response: nobody is left to be answered. */
  abandon(id: RequestId): void {
    if (!this.#take(id)) return;
    this.tell({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id, reason: 'the client closed the response' },
    });
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#isClosed) return;
    if ('method' in message) {
      this.#outletFor(options?.relatedRequestId as RequestId | undefined)?.push(message);
      return;
    }
    const reply = this.#calls.settle(message);
    const outlet = this.#take(message.id as RequestId);
    if (outlet) outlet.finish(reply, this.#statusOf(reply));
    else this.#channels.at(-1)?.push(reply);
    this.#options.onReplied?.(reply);
  }

  /** A stream for what belongs to no request. */
  openChannel(channel: Outlet): void {
    channel.open();
    this.#channels.push(channel);
    if (this.#channels.length > MAX_CHANNELS) this.#channels.shift()?.end();
  }

  closeChannel(channel: Outlet): void {
    this.#channels = this.#channels.filter((each) => each !== channel);
  }

  get isIdle(): boolean {
    return this.#outlets.size === 0 && this.#channels.length === 0;
  }

  tick(): void {
    for (const outlet of [...this.#outlets.values(), ...this.#channels]) outlet.tick();
  }

  /** Lets what is in flight finish; what still runs when the time is up is answered as cancelled. */
  async drain(timeUp: Promise<void>): Promise<void> {
    await this.#calls.untilIdle(timeUp);
    for (const id of this.#calls.unanswered) await this.send(cancelledByShutdown(id));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const outlets = [...this.#outlets.values(), ...this.#channels];
    this.#outlets.clear();
    this.#channels = [];
    for (const outlet of outlets) outlet.end();
    this.onclose?.();
  }

  #take(id: RequestId): Outlet | undefined {
    const outlet = this.#outlets.get(id);
    this.#outlets.delete(id);
    return outlet;
  }

  /** A stateless request is its own channel: a subscription's events go out on its response. */
  #outletFor(related: RequestId | undefined): Outlet | undefined {
    if (related !== undefined) return this.#outlets.get(related) ?? this.#channels.at(-1);
    if (this.#options.era === 'legacy') return this.#channels.at(-1);
    return this.#outlets.values().next().value;
  }

  #statusOf(reply: JSONRPCMessage): number {
    if (this.#options.era === 'legacy' || !('error' in reply)) return 200;
    return MODERN_STATUS[reply.error.code] ?? 200;
  }
}
