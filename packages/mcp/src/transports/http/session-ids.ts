import type { Ids } from '@baton/core';
import { isObject } from '../../shape.ts';

/** What a session has to know of its client, whichever process serves it. */
export interface ClientFacts {
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly name: string;
}

export interface SessionIds {
  mint(client: ClientFacts): string;
  /** `undefined` if it is none of ours. */
  read(id: string): ClientFacts | undefined;
}

/** What a server asks of its client. Others would only make the id longer. */
const CAPABILITIES = ['elicitation', 'sampling', 'roots'];
const MAX_CAPABILITIES_LENGTH = 500;

/**
 * Ids that say what their session is about, signed with the token: after a restart, or when an
 * unused session was ended, the same id goes on working. Clients do not start a new session by
 * themselves, and would be cut off until somebody restarts them.
 */
export async function createSessionIds(token: string, ids: Ids): Promise<SessionIds> {
  const { createHmac, timingSafeEqual } = await import('node:crypto');
  const sign = (text: string) =>
    createHmac('sha256', token).update(`session ${text}`).digest('base64url');
  return {
    mint({ protocolVersion, capabilities, name }) {
      const said = [protocolVersion.slice(0, 40), worthKeeping(capabilities), name.slice(0, 100)];
      const facts = [ids.next(), ...said];
      const text = Buffer.from(JSON.stringify(facts)).toString('base64url');
      return `${text}.${sign(text)}`;
    },
    read(id) {
      const [text = ''] = id.split('.');
      const given = Buffer.from(id);
      const expected = Buffer.from(`${text}.${sign(text)}`);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      const [, protocolVersion, capabilities, name = ''] = JSON.parse(
        Buffer.from(text, 'base64url').toString(),
      ) as [string, string, Record<string, unknown>, string?];
      return { protocolVersion, capabilities, name };
    },
  };
}

function worthKeeping(capabilities: ClientFacts['capabilities']): ClientFacts['capabilities'] {
  const kept = Object.fromEntries(
    CAPABILITIES.flatMap((name) =>
      isObject(capabilities[name]) ? [[name, capabilities[name]]] : [],
    ),
  );
  return JSON.stringify(kept).length > MAX_CAPABILITIES_LENGTH ? {} : kept;
}
