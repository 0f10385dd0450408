import type { Clock, Ids } from '@baton/core';
import { createRequestStateCodec, type RequestStateCodec } from '@modelcontextprotocol/server';
import { invalidParams } from './protocol-error.ts';

/** What travels to the client and back while a person answers. Signed, readable, used once. */
interface State {
  readonly nonce: string;
  readonly scope: string;
  readonly call: string;
  /** The keys of the requests that it was sent with: nothing else has been asked. */
  readonly asked: readonly string[];
  readonly answers: Answers;
  /** Of the monotonic clock: setting the other one back makes no old state good again. */
  readonly expires: number;
}

export type Answers = Readonly<Record<string, unknown>>;

const TTL_SECONDS = 600;

export interface QuestionStates {
  mint(scope: string, call: string, asked: readonly string[], answers: Answers): Promise<string>;
  /** For the SDK's verify hook; throws for what is forged or expired. */
  verify(state: string): Promise<unknown>;
  /**
   * The earlier answers and those of the latest that were asked for, if the verified state belongs
   * to this very call, and once only.
   */
  answers(verified: unknown, scope: string, call: string, latest: Answers): Answers;
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
    mint(scope, call, asked, answers) {
      const expires = clock.monotonic() + TTL_SECONDS * 1000;
      return sealer().mint({ nonce: ids.next(), scope, call, asked, answers, expires });
    },
    // The context is needed only for a bind callback, and the scope is checked in `answers`.
    verify: (sealed) => sealer().verify(sealed, undefined as never),
    answers(verified, scope, call, latest) {
      const state = verified as State;
      const now = clock.monotonic();
      for (const [nonce, expires] of used) if (expires < now) used.delete(nonce);
      const isForeign = state.scope !== scope || state.call !== call;
      if (isForeign || state.expires < now || used.has(state.nonce)) {
        throw invalidParams('Invalid or expired requestState', { reason: 'invalid_request_state' });
      }
      // Not before it was found to be its owner's: nobody else can use it up.
      used.set(state.nonce, state.expires);
      const given = Object.entries(latest).filter(([key]) => state.asked.includes(key));
      return { ...state.answers, ...Object.fromEntries(given) };
    },
  };
}
