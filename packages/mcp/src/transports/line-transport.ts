import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type Log, redact } from '@baton/core';
import type { JSONRPCMessage, JSONRPCRequest, Transport } from '@modelcontextprotocol/server';
import { Code } from '../protocol-error.ts';
import { fromToolResult, toToolCall } from './bare-call.ts';
import { errorReply, type RequestId, readFrame } from './frame.ts';
import { InFlight } from './in-flight.ts';
import { Intake } from './intake.ts';
import { LineReader } from './line-reader.ts';
import { LineWriter } from './line-writer.ts';

interface LineTransportOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxMessageBytes: number;
  readonly drainMs: number;
  readonly log: Log;
  /** Whether a method is an old name of a tool, called without `tools/call`. */
  readonly isBareCall: (method: string) => boolean;
  /** Ends what stands above the transport, once no call is left. */
  readonly onDrained: () => Promise<void>;
}

/** How long the last replies may take to leave. */
const FLUSH_MS = 400;

/** The wire below the SDK: lines in, lines out, every request answered once or cancelled. */
export class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  readonly #options: LineTransportOptions;
  readonly #log: Log;
  readonly #reader: LineReader;
  readonly #writer: LineWriter;
  readonly #inFlight = new InFlight();
  readonly #bareCalls = new Set<RequestId>();
  readonly #draining = new AbortController();
  #intake: Intake | undefined;
  #drained: Promise<void> | undefined;
  #isClosed = false;
  #settle: () => void = () => {};
  readonly closed = new Promise<void>((resolve) => {
    this.#settle = resolve;
  });

  constructor(options: LineTransportOptions) {
    this.#options = options;
    this.#log = options.log;
    this.#writer = new LineWriter(options.output, (isFull) => {
      if (isFull) this.#intake?.hold();
      else this.#intake?.release();
    });
    const limit = options.maxMessageBytes;
    const tooLong = `Invalid Request: a message may have at most ${limit} bytes; the line was discarded`;
    this.#reader = new LineReader(limit, {
      line: (text) => this.#onLine(text),
      oversize: () => this.#reply(errorReply(null, Code.invalidRequest, tooLong)),
      undecodable: () =>
        this.#reply(errorReply(null, Code.parse, 'Parse error: the line is not UTF-8')),
    });
  }

  /** Aborted when nobody will wait for an answer any longer. */
  get draining(): AbortSignal {
    return this.#draining.signal;
  }

  async start(): Promise<void> {
    const { input, output } = this.#options;
    output.on('error', (error) => this.#onOutputError(error));
    this.#intake = new Intake(input, this.#reader, (reason) => void this.drain(reason));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    const id = 'method' in message ? undefined : (message.id as RequestId);
    const isBare = id !== undefined && this.#bareCalls.delete(id);
    this.#reply(isBare ? fromToolResult(message) : message);
    if (id !== undefined) this.#inFlight.settle(id);
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
    const calls = this.#inFlight.calls.length;
    this.#log.write('info', `shutting down: ${reason}, ${calls} calls in flight`);
    this.#intake?.stop();
    this.#draining.abort();
    await this.#inFlight.untilIdle(this.#options.drainMs);
    for (const id of this.#inFlight.calls) {
      await this.send(
        errorReply(id, Code.shuttingDown, 'Cancelled: Baton is shutting down.', {
          code: 'shutting_down',
          next: 'Start Baton again and repeat the call.',
        }),
      );
    }
    await this.#options.onDrained();
    await this.close();
  }

  #onLine(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      this.#reply(errorReply(null, Code.parse, `Parse error: ${(error as Error).message}`));
      return;
    }
    if (this.#log.isEnabled('debug')) this.#log.write('debug', `← ${redact(value)}`);
    const frame = readFrame(value);
    if (frame.kind === 'message') this.#accept(frame.message);
    else if (frame.kind === 'refused') this.#reply(frame.reply);
    else this.#log.write('warn', `ignored: ${frame.reason}`);
  }

  #accept(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) {
      this.#acceptRequest(message);
      return;
    }
    if ('method' in message && message.method === 'notifications/cancelled') {
      // A cancelled request gets no reply, so its id is free again.
      const id = message.params?.requestId as RequestId;
      this.#bareCalls.delete(id);
      this.#inFlight.settle(id);
    }
    this.onmessage?.(message);
  }

  #acceptRequest(request: JSONRPCRequest): void {
    const { id, method } = request;
    if (this.#inFlight.has(id)) {
      const text = `Invalid Request: id ${JSON.stringify(id)} is already in flight`;
      this.#reply(errorReply(id, Code.invalidRequest, text));
      return;
    }
    this.#inFlight.add(id, method);
    const isBare = this.#options.isBareCall(method);
    if (isBare) this.#bareCalls.add(id);
    this.onmessage?.(isBare ? toToolCall(request) : request);
  }

  #reply(message: JSONRPCMessage): void {
    if (this.#log.isEnabled('debug')) this.#log.write('debug', `→ ${redact(message)}`);
    this.#writer.write(this.#serialize(message));
  }

  /** A reply that cannot be written as JSON must not leave the client waiting. */
  #serialize(message: JSONRPCMessage): string {
    try {
      return JSON.stringify(message);
    } catch (error) {
      this.#log.write('error', `a message could not be serialised: ${String(error)}`);
      const id = 'id' in message ? (message.id as RequestId) : null;
      return JSON.stringify(
        errorReply(id, Code.internal, 'The result could not be written as JSON.'),
      );
    }
  }

  #onOutputError(error: Error): void {
    // The client is gone (EPIPE): nobody is left to answer, and that is no failure of ours.
    this.#log.write('info', `output closed: ${error.message}`);
    this.#inFlight.clear();
    void this.drain('output closed');
  }
}
