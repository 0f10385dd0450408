import { escapeLine, truncate } from '@baton/core';
import type { HistoryRow } from '../tables.ts';

const LONGEST = 300;

interface Detail {
  readonly changes?: Readonly<Record<string, readonly [unknown, unknown]>>;
  readonly state?: readonly [string, string] | string;
  readonly because?: string;
  readonly linked?: string;
  readonly unlinked?: string;
  readonly text?: string;
  readonly by?: string;
  readonly from?: string;
  readonly outcome?: string;
  readonly summary?: string;
  readonly waitsFor?: string;
  readonly verdict?: string;
  readonly file?: string;
}

/** One entry in one line: who did what. */
export function describeHistory({ what, by, detail, at }: HistoryRow): string {
  const words = truncate(escapeLine(describe(what, by, JSON.parse(detail) as Detail)), LONGEST);
  return `${words} (${new Date(at).toISOString()})`;
}

function describe(what: HistoryRow['what'], by: string, detail: Detail): string {
  switch (what) {
    case 'created':
      return `created by ${by}`;
    case 'imported':
      return `imported from ${detail.file} by ${by}${detail.changes ? `: ${changesIn(detail)}` : ''}`;
    case 'note':
      return `note of ${by}: ${detail.text}`;
    case 'claimed':
      return `claimed by ${detail.by}`;
    case 'expired':
      return `taken from ${detail.from}, who was not heard of in time; then ${detail.state}`;
    case 'taken':
      return `taken from ${detail.from} by ${by}`;
    case 'reported':
      return `reported ${detail.outcome} by ${by}${detail.waitsFor ? `, waits for ${detail.waitsFor}` : ''}: ${detail.summary}`;
    case 'checked':
      return `checks ${detail.verdict}`;
    case 'changed':
      return `${changesIn(detail)} by ${by}`;
  }
}

function changesIn({ changes = {}, linked, unlinked, state, because }: Detail): string {
  const parts = Object.entries(changes).map(
    ([key, [before, after]]) => `${key} ${short(before)} → ${short(after)}`,
  );
  if (linked) parts.push(`linked: ${linked}`);
  if (unlinked) parts.push(`unlinked: ${unlinked}`);
  if (Array.isArray(state))
    parts.push(`${state.join(' → ')}${because ? ` because ${because}` : ''}`);
  return parts.join(', ') || 'changed';
}

function short(value: unknown): string {
  if (value === null || value === '') return 'none';
  return truncate(typeof value === 'string' ? value : JSON.stringify(value), 60);
}
