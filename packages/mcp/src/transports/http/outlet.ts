import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type Log, redact } from '@baton/core';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { serialize } from '../frame.ts';
import { sendJson } from './refusal.ts';

/** What may wait for a client that does not read; beyond it the connection is cut. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

interface OutletOptions {
  readonly log: Log;
  /** How long a client may leave its last reply unread. Twice as long, if some of it was taken. */
  readonly patienceMs: number;
  readonly headers?: OutgoingHttpHeaders;
  /** The client has closed the response before we did. */
  readonly onGone: () => void;
}

/**
 * One HTTP response to an MCP client. A reply that comes alone is sent as JSON; as soon as
 * anything comes before it, the response becomes a stream of events.
 */
export class Outlet {
  readonly #response: ServerResponse;
  readonly #options: OutletOptions;
  #isStream = false;
  #isOver = false;
  /** Writes that the operating system has not taken yet, and those that it took since the last tick. */
  #pending = 0;
  #taken = 0;

  constructor(response: ServerResponse, options: OutletOptions) {
    this.#response = response;
    this.#options = options;
    response.on('error', () => {}); // The other side is gone; 'close' follows.
    const onClose = () => {
      if (this.#isOver) return;
      this.#isOver = true;
      options.onGone();
    };
    response.on('close', onClose);
    if (response.destroyed) queueMicrotask(onClose); // Gone before we were here to hear it.
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Makes it a stream, even if there is nothing to say yet. */
  open(): void {
    if (this.#isOver || this.#isStream) return;
    this.#isStream = true;
    this.#response.writeHead(200, { ...STREAM_HEADERS, ...this.#options.headers });
    this.#response.flushHeaders();
  }

  /** A message before the reply, or one that answers nothing. */
  push(message: JSONRPCMessage): void {
    if (!this.#isOver) this.pushEvent('message', this.#serialize(message));
  }

  pushEvent(event: string, data: string): void {
    if (this.#isOver) return;
    if (this.#response.writableLength > MAX_UNREAD_BYTES) {
      this.#cut('does not read');
      return;
    }
    this.open();
    this.#write(`event: ${event}\ndata: ${data}\n\n`);
  }

  /** The reply, and with it the end. */
  finish(message: JSONRPCMessage, status = 200): void {
    if (this.#isOver) return;
    const text = this.#serialize(message);
    if (this.#isStream) {
      this.#write(`event: message\ndata: ${text}\n\n`);
      this.end();
      return;
    }
    this.#isOver = true;
    sendJson(this.#response, status, text, this.#options.headers);
    this.#cutIfUnread();
  }

  /** Ends without a reply, or after the last event. */
  end(): void {
    if (this.#isOver) return;
    this.open();
    this.#isOver = true;
    this.#response.end();
    this.#cutIfUnread();
  }

  /** Keeps a quiet response alive, and cuts it if nothing was read since the last tick. */
  tick(): void {
    if (this.#isOver) return;
    if (this.#pending > 0 && this.#taken === 0) {
      this.#cut('has stopped reading');
      return;
    }
    this.#taken = 0;
    this.open();
    if (this.#pending === 0) this.#write(': keep-alive\n\n');
  }

  #write(text: string): void {
    this.#pending += 1;
    this.#response.write(text, () => {
      this.#pending -= 1;
      this.#taken += 1;
    });
  }

  #serialize(message: JSONRPCMessage): string {
    const { log } = this.#options;
    if (log.isEnabled('debug')) log.write('debug', `→ ${redact(message)}`);
    return serialize(message, log);
  }

  #cutIfUnread(): void {
    // Node counts every byte that the client takes as activity.
    this.#response.setTimeout(this.#options.patienceMs, () => this.#cut('has stopped reading'));
  }

  #cut(why: string): void {
    this.#options.log.write('warn', `a client ${why}: its connection was cut`);
    this.#response.destroy();
  }
}
