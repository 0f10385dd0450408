import type { Cell } from '../model.ts';

export interface SearchRequest {
  /** Without it, all categories are searched for a text. */
  readonly category?: string | undefined;
  readonly id?: string | undefined;
  readonly text?: string | undefined;
  readonly filters?: object | undefined;
  readonly fields?: readonly string[] | undefined;
  /** `name`, or `-salary` for the largest first. */
  readonly sort?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** Of the record with that `id`: which records it leads to, and which lead to it. */
  readonly connections?: boolean | undefined;
}

export const SEARCH_LIMITS = {
  limit: { usual: 20, most: 200 },
  /** Of an answer as JSON. */
  characters: 9000,
  depth: 8,
  conditions: 200,
  /** From table to table, in one filter. */
  steps: 40,
  listed: 1000,
  /** Of all lists of a request together. */
  values: 5000,
  pattern: 500,
  words: 30,
  sorts: 8,
  fields: 200,
} as const;

export interface FoundRecord {
  /** Only where several categories were searched. */
  readonly category?: string;
  /** Without those that are missing, unless they were asked for by name. */
  readonly values: { readonly [field: string]: Cell };
}

export interface Connection {
  /** What it is called in filters. */
  readonly name: string;
  readonly category: string;
  readonly count: number;
  /** The first of them. */
  readonly records: readonly { readonly id?: string; readonly label?: string }[];
}

export interface SearchAnswer {
  readonly records: readonly FoundRecord[];
  /** How many match, on all pages. */
  readonly total: number;
  /** Matches by category, where several were searched. */
  readonly counts?: { readonly [category: string]: number };
  /** Whether there are more after these. */
  readonly truncated: boolean;
  /** For the next page. */
  readonly cursor?: string;
  readonly connections?: readonly Connection[];
  /** Of the data. */
  readonly version: string;
  /** Why there is nothing, or what to do about what is not shown. */
  readonly next?: string;
}
