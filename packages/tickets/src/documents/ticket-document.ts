import type { CheckDefinition } from '@baton/core';
import type { Kind } from '../definition.ts';

interface TicketNote {
  /** ISO time. */
  readonly at: string;
  readonly by: string;
  readonly text: string;
}

/** All of a ticket, as it stands in a file. Other tickets are `T-3`, or a UUID. */
export interface TicketDocument {
  readonly id: string;
  /** Written as `ticket: T-14`. */
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly kind: Kind;
  readonly state: 'open' | 'blocked' | 'done' | 'failed' | 'cancelled';
  /** From 1, which comes first, to 5. */
  readonly priority: number;
  readonly labels: readonly string[];
  readonly assignee?: string;
  readonly needs: readonly string[];
  readonly parent?: string;
  readonly related: readonly string[];
  readonly duplicateOf?: string;
  /** If it is blocked. */
  readonly waitsFor?: string;
  readonly checks: readonly CheckDefinition[];
  readonly maxAttempts: number;
  /** What came of it. */
  readonly resolution?: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt: string;
  readonly version: number;
  readonly notes: readonly TicketNote[];
}

type Known = 'id' | 'number' | 'createdAt' | 'createdBy' | 'updatedAt' | 'version';

/** What a file tells of a ticket. One that a person has written leaves out what Baton knows. */
export type TicketDraft = Omit<TicketDocument, Known> & Partial<Pick<TicketDocument, Known>>;

/** What a file that does not say it means. */
export const DEFAULTS = { kind: 'agent', state: 'open', priority: 3, maxAttempts: 3 } as const;
