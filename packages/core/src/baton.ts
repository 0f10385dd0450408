import type { CallContext, CallOutcome } from './call.ts';
import type { Catalogue } from './catalogue.ts';
import type { ChangeFeed, Clock, Ids, Log } from './ports.ts';

/** What a transport serves. Made by `createBaton` in packages/runtime. */
export interface Baton {
  readonly version: string;
  readonly catalogue: Catalogue;
  /** The input of tools as JSON Schema, where that was made beforehand: to make it takes long. */
  readonly inputSchemas?: Readonly<Record<string, object>>;
  readonly changes: ChangeFeed;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Throws a BatonError if there is no such tool; every other failure is an outcome. */
  call(name: string, args: unknown, context: CallContext): Promise<CallOutcome>;
}
