import type { Clock, Ids } from '@baton/core';
import { createRequestStateCodec, type RequestStateCodec } from '@modelcontextprotocol/server';
import { invalidParams } from './protocol-error.ts';

/** What travels to the client and back while a person answers. Signed, readable, used once. */
interface State {
  readonly nonce: string;
  readonly scope: string;
  readonly call: string;
  readonly answers: Readonly<Record<string, unknown>>;
}

const TTL_SECONDS = 600;

export interface QuestionStates {
  mint(scope: string, call: string, answers: State['answers']): Promise<string>;
  /** For the SDK's verify hook; throws for what is forged or expired. */
  verify(state: string): Promise<unknown>;
  /** The earlier answers, if the verified state belongs to this very call, and once only. */
  answers(verified: unknown, scope: string, call: string): State['answers'];
}

/** Names a call by what it asks for, so that an answer cannot be moved to another one. */
export async function callFingerprint(
  method: string,
  name: string,
  args: unknown,
): Promise<string> {
  const call = new TextEncoder().encode(JSON.stringify([method, name, args ?? {}]));
  return Buffer.from(await globalThis.crypto.subtle.digest('SHA-256', call)).toString('base64url');
}

export function createQuestionStates(clock: Clock, ids: Ids): QuestionStates {
  // Made with the first question: most processes never ask one, and cryptography loads slowly.
  let codec: RequestStateCodec<State> | undefined;
  const sealer = () => {
    codec ??= createRequestStateCodec<State>({
      key: globalThis.crypto.getRandomValues(new Uint8Array(32)),
      ttlSeconds: TTL_SECONDS,
    });
    return codec;
  };
  const used = new Map<string, number>();

  return {
    mint(scope, call, answers) {
      const state: State = { nonce: ids.next(), scope, call, answers };
      return sealer().mint(state);
    },
    // The context is needed only for a bind callback, and the scope is checked in `answers`.
    verify: (sealed) => sealer().verify(sealed, undefined as never),
    answers(verified, scope, call) {
      const state = verified as State;
      const now = clock.monotonic();
      for (const [nonce, expires] of used) if (expires < now) used.delete(nonce);
      if (state.scope !== scope || state.call !== call || used.has(state.nonce)) {
        throw invalidParams('Invalid or expired requestState', { reason: 'invalid_request_state' });
      }
      // Not before it was found to be its owner's: nobody else can use it up.
      used.set(state.nonce, now + TTL_SECONDS * 1000);
      return state.answers;
    },
  };
}
