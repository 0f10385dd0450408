import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type Log, redact } from '@baton/core';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { Code } from '../protocol-error.ts';
import type { BareCalls } from './bare-call.ts';
import { type Accepted, Calls, cancelledByShutdown, unanswerable } from './calls.ts';
import { Deadline } from './deadline.ts';
import { errorReply, readFrame, serialize, unsupportedVersion } from './frame.ts';
import { Intake } from './intake.ts';
import { LineReader } from './line-reader.ts';
import { LineWriter } from './line-writer.ts';

interface LineTransportOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxMessageBytes: number;
  /** How long calls may go on when the process is told to stop. */
  readonly stopMs: number;
  /** How long calls may go on when only the input has ended. */
  readonly finishMs: number;
  /** Only what is written to the output tells whether somebody still reads it. */
  readonly isPipe: boolean;
  /** Why nobody waits for answers any more, or undefined while somebody may. */
  readonly abandoned: () => string | undefined;
  readonly log: Log;
  readonly bareCalls: BareCalls;
  /** Ends what stands above the transport, once no call is left. */
  readonly onDrained: () => Promise<void>;
}

/** How long the last replies may take to leave when the time is up. */
const FLUSH_MS = 400;

/** A client that dies closes our input first; that it is gone is seen at the next look. */
const ABANDONED_POLL_MS = 200;

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
  readonly #deadline = new Deadline();
  #hasInputEnded = false;
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
    this.#intake = new Intake(input, this.#reader, (reason) => this.#onInputEnd(reason));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    this.#reply(this.#calls.settle(message));
    if (this.#hasInputEnded) this.#giveUpQuestions();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#intake?.stop();
    // A client that does not read must not keep us from leaving once the time is up.
    const timeUp = this.#draining.signal.aborted ? this.#deadline.passed : Promise.resolve();
    const lastMoment = timeUp.then(() => delay(FLUSH_MS, undefined, { ref: false }));
    await Promise.race([this.#writer.end(), lastMoment]);
    this.#deadline.clear();
    this.onclose?.();
    this.#settle();
  }

  /**
   * Stops reading, lets what is in flight finish or cancels it, and closes. Another reason while
   * this goes on can only shorten it: a signal ends what the end of input would have waited for.
   */
  drain(reason: string, ms = this.#options.stopMs): Promise<void> {
    if (this.#deadline.within(ms)) {
      const { length } = this.#calls.unanswered;
      this.#log.write('info', `shutting down: ${reason}, ${length} calls in flight`);
    }
    this.#drained ??= this.#drainOnce().catch((error: unknown) => {
      this.#log.write('error', `shutting down failed: ${String(error)}`);
      return this.close();
    });
    return this.#drained;
  }

  async #drainOnce(): Promise<void> {
    this.#intake?.stop();
    this.#draining.abort();
    const watch = setInterval(() => this.#lookForAbandonment(), ABANDONED_POLL_MS);
    try {
      await this.#calls.untilIdle(this.#deadline.passed);
      for (const id of this.#calls.unanswered) await this.send(cancelledByShutdown(id));
      await this.#options.onDrained();
      await this.close();
    } finally {
      clearInterval(watch);
    }
  }

  #lookForAbandonment(): void {
    const reason = this.#options.abandoned();
    if (reason) void this.drain(reason, 0);
    // Their replies follow, and JSON allows blanks before them.
    else if (this.#options.isPipe && this.#calls.unanswered.length > 0) this.#writer.writeBlank();
  }

  #onInputEnd(reason: string): void {
    this.#hasInputEnded = true;
    void this.drain(reason, this.#options.finishMs);
    this.#giveUpQuestions();
  }

  /** No answer can arrive any more: the calls that wait for one end now. */
  #giveUpQuestions(): void {
    for (const id of this.#calls.takeAsked()) this.onmessage?.(unanswerable(id));
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
