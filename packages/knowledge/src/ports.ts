import type { ChangeFeed, Clock, Log } from '@baton/core';
import type { Source } from './folders/source.ts';
import type { Thesaurus } from './thesaurus/thesaurus.ts';

/** What knowledge is connected with. */
export interface KnowledgePorts {
  /** In the order of precedence. */
  readonly sources: readonly Source[];
  /** Where indexes are kept. */
  readonly cacheFolder: string;
  readonly thesaurus: Thesaurus;
  readonly clock: Clock;
  readonly log: Log;
  readonly changes: ChangeFeed;
  countTokens(text: string): number;
}
