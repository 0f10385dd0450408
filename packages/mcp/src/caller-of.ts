import { type Caller, createCaller } from '@baton/core';
import { CLIENT_INFO_META_KEY, type ServerContext } from '@modelcontextprotocol/server';
import type { Identity } from './identity.ts';
import type { ProtocolServer } from './protocol-server.ts';
import { isObject } from './shape.ts';

/** A client names itself in `initialize`, or in each request of the new era. */
export function callerOf(
  server: ProtocolServer,
  { id, isShared }: Identity,
  { mcpReq }: ServerContext,
): Caller {
  // In the old era nobody has checked what else a client puts into `_meta`.
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
  const info: unknown = envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  const name = isObject(info) && typeof info.name === 'string' ? info.name : undefined;
  return createCaller(isShared ? undefined : id, name);
}
