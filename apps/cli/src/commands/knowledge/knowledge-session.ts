import { BatonError } from '@baton/core';
import { type KnowledgeService, openKnowledge } from '@baton/runtime';
import type { Parsed } from '../../flags.ts';
import type { Extras, Io } from '../../io.ts';
import { SessionTools, withSession } from '../../session-tools.ts';
import { UsageError } from '../../usage-error.ts';

/** Knowledge as this command line uses it. */
export interface KnowledgeSession {
  readonly tools: SessionTools;
  readonly service: KnowledgeService;
}

export async function withKnowledge(
  io: Io,
  parsed: Parsed,
  extras: Extras,
  work: (session: KnowledgeSession) => Promise<number>,
): Promise<number> {
  try {
    return await withSession(io, parsed, extras, async (session, signal) =>
      work({
        tools: new SessionTools(io, session, signal),
        service: await openKnowledge(session.baton),
      }),
    );
  } catch (error) {
    const isUsage = error instanceof BatonError && error.code === 'invalid_input';
    throw isUsage ? new UsageError(error.message, error.next) : error;
  }
}
