import type { TicketDocument, TicketDraft } from '../documents/ticket-document.ts';
import type { Links } from './references.ts';

/** What a file and a ticket are compared by. Notes are merged, the rest is Baton's own. */
export function contentOf(document: TicketDocument | TicketDraft, links: Links) {
  const { title, body, kind, state, priority, labels, checks, maxAttempts } = document;
  return {
    title,
    body,
    kind,
    state,
    priority,
    labels: [...new Set(labels)].toSorted(),
    assignee: document.assignee ?? '',
    waitsFor: state === 'blocked' ? (document.waitsFor ?? '') : '',
    checks,
    maxAttempts,
    resolution: document.resolution ?? '',
    ...links,
  };
}

export type Content = ReturnType<typeof contentOf>;

/** What differs, before and after. */
export function differences(
  before: Content,
  after: Content,
): Partial<Record<keyof Content, [unknown, unknown]>> {
  const keys = Object.keys(after) as (keyof Content)[];
  return Object.fromEntries(
    keys.flatMap((key) =>
      JSON.stringify(before[key]) === JSON.stringify(after[key])
        ? []
        : [[key, [before[key], after[key]]]],
    ),
  );
}
