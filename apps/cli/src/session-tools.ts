import { BatonError } from '@baton/core';
import { type Answering, onTerminal } from './answer-questions.ts';
import { callAndAnswer } from './call-tool.ts';
import type { Parsed } from './flags.ts';
import type { Extras, Io } from './io.ts';
import { openSession, type Session } from './session.ts';

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly answering?: Answering | undefined;
}

/** Tools as the commands for people use them. Failures are thrown. */
export class SessionTools {
  readonly session: Session;
  readonly signal: AbortSignal;
  readonly io: Io;

  constructor(io: Io, session: Session, signal: AbortSignal) {
    this.io = io;
    this.session = session;
    this.signal = signal;
  }

  async call<Data>(
    tool: string,
    args: object,
    { signal = this.signal, answering = onTerminal(this.io) }: CallOptions = {},
  ): Promise<Data> {
    const { baton } = this.session;
    const outcome = await callAndAnswer(this.io, baton, tool, args, signal, answering);
    if (outcome.kind === 'result') return outcome.data as Data;
    const { code, message, next } = outcome.error;
    throw new BatonError(code, message, next);
  }
}

/** Runs a command until it is done or somebody interrupts it. */
export async function withSession(
  io: Io,
  parsed: Parsed,
  extras: Extras,
  work: (session: Session, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const interrupted = new AbortController();
  const onSignal = () => interrupted.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal).once('SIGHUP', onSignal);
  await using session = await openSession(io, parsed, extras, { logTo: 'file' });
  return await work(session, interrupted.signal);
}
