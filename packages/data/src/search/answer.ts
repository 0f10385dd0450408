import type { Catalogue } from '../model.ts';
import type { Ask } from './ask.ts';
import { cursorAfter } from './cursor.ts';
import { cost, fitConnections, fitRecords } from './fit-answer.ts';
import type { Connection, FoundRecord, SearchAnswer, SearchRequest } from './request.ts';

/** A request on its way. */
export interface Search {
  readonly ask: Ask;
  readonly catalogue: Catalogue;
  readonly request: SearchRequest;
  readonly words: readonly string[];
  readonly limit: number;
  /** How long the answer may become. */
  readonly characters: number;
}

export interface Found {
  readonly records: readonly FoundRecord[];
  readonly total: number;
  /** Matches before these. */
  readonly offset: number;
  /** Fields that were asked for by name. */
  readonly named: ReadonlySet<string>;
  readonly counts?: { readonly [category: string]: number };
  readonly connections?: readonly Connection[];
  readonly next?: string | undefined;
}

const CURSOR = 'x'.repeat(24);

/** What was found, as far as it fits. */
export function answerOf(search: Search, found: Found): SearchAnswer {
  const { catalogue, request, characters } = search;
  const { total, offset, named, counts } = found;
  const { version } = catalogue;
  const connections = found.connections && fitConnections(found.connections, characters / 2);
  const around = {
    total,
    ...(counts && { counts }),
    ...(connections && { connections }),
    version,
  };
  const ends = {
    truncated: false,
    records: [],
    cursor: CURSOR,
    next: found.next ?? leftOutText(99999),
  };
  const room = characters - cost({ ...around, ...ends });
  const { records, leftOut } = fitRecords(found.records, room, named);
  const end = offset + records.length;
  const truncated = end < total;
  const next = leftOut > 0 ? leftOutText(leftOut) : found.next;
  return {
    records,
    ...around,
    truncated,
    ...(truncated && records.length > 0 && { cursor: cursorAfter(end, version, request) }),
    ...(next !== undefined && { next }),
  };
}

function leftOutText(count: number): string {
  return `${count} fields did not fit: name those that you need in "fields".`;
}

/** How long a value may be that is read for one of so many records. */
export function longestOf(rows: number, characters: number): number {
  const share = Math.floor((2 * characters) / Math.max(1, rows));
  return Math.max(LEAST_READ, Math.min(characters, share));
}

/** What is cut to less is cut here: it depends on what else has to fit. */
const LEAST_READ = 800;
