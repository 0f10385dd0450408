import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type Log, redact } from '@baton/core';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { Code } from '../protocol-error.ts';
import type { BareCalls } from './bare-call.ts';
import { type Accepted, Calls, cancelledByShutdown } from './calls.ts';
import { errorReply, readFrame, serialize, unsupportedVersion } from './frame.ts';
import { Intake } from './intake.ts';
import { LineReader } from './line-reader.ts';
import { LineWriter } from './line-writer.ts';

interface LineTransportOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxMessageBytes: number;
  readonly drainMs: number;
  readonly log: Log;
  readonly bareCalls: BareCalls;
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
  readonly #calls: Calls;
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
    this.#calls = new Calls(options.bareCalls);
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
    if (!this.#isClosed) this.#reply(this.#calls.settle(message));
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
    const { length } = this.#calls.unanswered;
    this.#log.write('info', `shutting down: ${reason}, ${length} calls in flight`);
    this.#intake?.stop();
    this.#draining.abort();
    await this.#calls.untilIdle(this.#options.drainMs);
    for (const id of this.#calls.unanswered) await this.send(cancelledByShutdown(id));
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
    const reply = unsupportedVersion(message);
    const accepted: Accepted = reply ? { kind: 'refused', reply } : this.#calls.accept(message);
    if (accepted.kind === 'refused') this.#reply(accepted.reply);
    else this.onmessage?.(accepted.message);
  }

  #reply(message: JSONRPCMessage): void {
    if (this.#log.isEnabled('debug')) this.#log.write('debug', `→ ${redact(message)}`);
    this.#writer.write(serialize(message, this.#log));
  }

  #onOutputError(error: Error): void {
    // The client is gone (EPIPE): nobody is left to answer, and that is no failure of ours.
    this.#log.write('info', `output closed: ${error.message}`);
    this.#calls.clear();
    void this.drain('output closed');
  }
}
