import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type Baton, type Log, redact } from '@baton/core';
import type { JSONRPCMessage, JSONRPCRequest, Transport } from '@modelcontextprotocol/server';
import { serveStdio as serveEras } from '@modelcontextprotocol/server/stdio';
import { createAdapter } from '../adapter.ts';
import { Code } from '../protocol-error.ts';
import { fromToolResult, toToolCall } from './bare-call.ts';
import { errorReply, type RequestId, readFrame } from './frame.ts';
import { Intake } from './intake.ts';
import { LineReader } from './line-reader.ts';
import { LineWriter } from './line-writer.ts';

export interface StdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxMessageBytes?: number;
  /** How long calls may go on after the end of input before they are cancelled. */
  readonly drainMs?: number;
}

export interface StdioServer {
  /** Answers what is in flight, then closes. The same happens when the input ends. */
  close(): Promise<void>;
  /** Settles when nothing more will be read or written. */
  readonly closed: Promise<void>;
}

const DEFAULT_MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
// Clients expect the process to be gone within two seconds.
const DEFAULT_DRAIN_MS = 1500;
const FLUSH_MS = 400;

/** One JSON-RPC message per line, in both protocol eras. */
export function serveStdio(baton: Baton, options: StdioOptions): StdioServer {
  const wire = new LineTransport(baton, options);
  const adapter = createAdapter(baton);
  const log = baton.log.child('stdio');
  const eras = serveEras(({ era }) => adapter.createServer(era, wire.draining), {
    transport: wire,
    onerror: (error) => log.write('warn', error.message),
  });
  wire.onDrained = () => eras.close();
  return { close: () => wire.drain('asked to close'), closed: wire.closed };
}

class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onDrained: () => Promise<void> = async () => {};

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #reader: LineReader;
  #intake: Intake | undefined;
  readonly #writer: LineWriter;
  readonly #log: Log;
  readonly #baton: Baton;
  readonly #drainMs: number;
  readonly #maxBytes: number;
  /** Requests that wait for their reply. A listening client's subscription is not among them. */
  readonly #pending = new Set<RequestId>();
  readonly #listening = new Set<RequestId>();
  readonly #bareCalls = new Set<RequestId>();
  readonly #draining = new AbortController();
  #idle: (() => void) | undefined;
  #drained: Promise<void> | undefined;
  #isClosed = false;
  #settle: () => void = () => {};
  readonly closed = new Promise<void>((resolve) => {
    this.#settle = resolve;
  });

  constructor(baton: Baton, options: StdioOptions) {
    this.#baton = baton;
    this.#log = baton.log.child('stdio');
    this.#input = options.input;
    this.#output = options.output;
    this.#drainMs = options.drainMs ?? DEFAULT_DRAIN_MS;
    this.#maxBytes = options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
    this.#writer = new LineWriter(this.#output, (isFull) => {
      if (isFull) this.#intake?.hold();
      else this.#intake?.release();
    });
    this.#reader = new LineReader(this.#maxBytes, {
      line: (text) => this.#onLine(text),
      oversize: () => this.#refuse(Code.invalidRequest, `Invalid Request: ${this.#tooLong()}`),
      undecodable: () => this.#refuse(Code.parse, 'Parse error: the line is not UTF-8'),
    });
  }

  get draining(): AbortSignal {
    return this.#draining.signal;
  }

  async start(): Promise<void> {
    this.#output.on('error', this.#onOutputError);
    this.#intake = new Intake(this.#input, this.#reader, (reason) => void this.drain(reason));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    const isReply = !('method' in message);
    const id = isReply ? (message.id as RequestId) : undefined;
    const outgoing =
      id !== undefined && this.#bareCalls.delete(id) ? fromToolResult(message) : message;
    if (this.#log.isEnabled('debug')) this.#log.write('debug', `→ ${redact(outgoing)}`);
    this.#writer.write(this.#serialize(outgoing, id));
    if (id !== undefined) this.#settleRequest(id);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#intake?.stop();
    // A client that does not read must not keep us from leaving.
    await Promise.race([this.#writer.end(), delay(FLUSH_MS, undefined, { ref: false })]);
    this.onclose?.();
    this.#settle();
  }

  /** Stops reading, lets what is in flight finish or cancels it, and closes. */
  drain(reason: string): Promise<void> {
    this.#drained ??= this.#drainOnce(reason).catch((error: unknown) => {
      this.#log.write('error', `shutting down failed: ${String(error)}`);
      return this.close();
    });
    return this.#drained;
  }

  async #drainOnce(reason: string): Promise<void> {
    this.#log.write('info', `shutting down: ${reason}, ${this.#pending.size} calls in flight`);
    this.#intake?.stop();
    this.#draining.abort();
    // The SDK starts on a request some microtasks after it has been read.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#pending.size > 0) await this.#untilIdle();
    for (const id of this.#pending) {
      await this.send(
        errorReply(id, Code.shuttingDown, 'Cancelled: Baton is shutting down.', {
          code: 'shutting_down',
          next: 'Start Baton again and repeat the call.',
        }),
      );
    }
    await this.onDrained();
    await this.close();
  }

  #untilIdle(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#drainMs);
      this.#idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #onLine(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      this.#refuse(Code.parse, `Parse error: ${error instanceof Error ? error.message : error}`);
      return;
    }
    if (this.#log.isEnabled('debug')) this.#log.write('debug', `← ${redact(value)}`);
    const frame = readFrame(value);
    if (frame.kind === 'message') this.#accept(frame.message);
    else if (frame.kind === 'refused') this.#writer.write(JSON.stringify(frame.reply));
    else this.#log.write('warn', `ignored: ${frame.reason}`);
  }

  #accept(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) {
      this.#acceptRequest(message);
      return;
    }
    if ('method' in message && message.method === 'notifications/cancelled') {
      this.#forget(message.params?.requestId);
    }
    this.onmessage?.(message);
  }

  #acceptRequest(request: JSONRPCRequest): void {
    const { id, method } = request;
    if (this.#pending.has(id) || this.#listening.has(id)) {
      const text = `Invalid Request: id ${JSON.stringify(id)} is already in flight`;
      this.#writer.write(JSON.stringify(errorReply(id, Code.invalidRequest, text)));
      return;
    }
    (method === 'subscriptions/listen' ? this.#listening : this.#pending).add(id);
    const isBare = this.#baton.catalogue.isAlias(method);
    if (isBare) this.#bareCalls.add(id);
    this.onmessage?.(isBare ? toToolCall(request) : request);
  }

  /** A cancelled request gets no reply, so its id is free again. */
  #forget(id: unknown): void {
    const known = id as RequestId;
    this.#bareCalls.delete(known);
    this.#settleRequest(known);
  }

  #settleRequest(id: RequestId): void {
    this.#listening.delete(id);
    if (this.#pending.delete(id) && this.#pending.size === 0) this.#idle?.();
  }

  /** A reply that cannot be written as JSON must not leave the client waiting. */
  #serialize(message: JSONRPCMessage, id: RequestId | undefined): string {
    try {
      return JSON.stringify(message);
    } catch (error) {
      this.#log.write('error', `a message could not be serialised: ${String(error)}`);
      return JSON.stringify(
        errorReply(id ?? null, Code.internal, 'The result could not be written as JSON.'),
      );
    }
  }

  #refuse(code: number, message: string): void {
    this.#writer.write(JSON.stringify(errorReply(null, code, message)));
  }

  #tooLong(): string {
    return `a message may have at most ${this.#maxBytes} bytes; the line was discarded`;
  }

  readonly #onOutputError = (error: Error): void => {
    // The client is gone (EPIPE): nobody is left to answer, and that is no failure of ours.
    this.#log.write('info', `output closed: ${error.message}`);
    this.#pending.clear();
    this.#idle?.();
    this.drain('output closed').catch(() => {});
  };
}
