import type { Row } from '../table.ts';
import type { Target } from '../targets.ts';
import type { EngineName } from './engines.ts';
import { CLASSES, COLLECTIONS, type CollectionName, type RequestClass } from './material.ts';
import type { Measures } from './measures.ts';
import { PEERS } from './peers.ts';

/** `empty` is the same program in a workspace without knowledge, `small` with less of it. */
export type Name = EngineName | 'empty' | 'small';

/** Classes of requests that something answers, and all of them together. */
export type Asked = Exclude<RequestClass, 'none'> | 'all';
export const ASKED: readonly Asked[] = [...CLASSES.filter((one) => one !== 'none'), 'all'];

const MEASURES = { ndcg: 'nDCG@10', recall: 'recall@5', mrr: 'MRR' } as const;
export const MEASURE_NAMES = Object.keys(MEASURES) as (keyof Measures)[];

/** What is said about a request as a whole: that nothing fits, or that this is in doubt. */
export const VERDICTS = ['refused', 'doubted'] as const;
type Verdict = (typeof VERDICTS)[number];

type QualityRowId =
  | `${CollectionName} ${Asked} ${keyof Measures}`
  | `${CollectionName} answered ndcg`
  | `${CollectionName} ${'none' | 'all'} ${Verdict}`;

export function qualityRows(collection: CollectionName): readonly Row<QualityRowId>[] {
  const share = { unit: '%', digits: 0 } as const;
  return [
    ...ASKED.flatMap((asked) =>
      MEASURE_NAMES.map((measure) => ({
        id: `${collection} ${asked} ${measure}` as const,
        label: `${collection}, ${asked}`,
        unit: MEASURES[measure],
        digits: 3,
      })),
    ),
    {
      id: `${collection} answered ndcg`,
      label: `${collection}, all, as the tool answers`,
      unit: MEASURES.ndcg,
      digits: 3,
    },
    {
      id: `${collection} none refused`,
      label: `${collection}, nothing answers it: told so`,
      ...share,
    },
    {
      id: `${collection} none doubted`,
      label: `${collection}, nothing answers it: told so, or in doubt`,
      ...share,
    },
    {
      id: `${collection} all refused`,
      label: `${collection}, something answers it: told that nothing does`,
      ...share,
    },
    {
      id: `${collection} all doubted`,
      label: `${collection}, something answers it: told so, or in doubt`,
      ...share,
    },
  ];
}

export const SIZES = ['small', 'large'] as const;
export type Size = (typeof SIZES)[number];
type SearchRowId = `${Size} ${'p50' | 'p95' | 'build' | 'bytes' | 'memory'}`;

export function searchRows(size: Size, count: number): readonly Row<SearchRowId>[] {
  const of = `${count.toLocaleString('en')} documents`;
  return [
    { id: `${size} p50`, label: `a search, ${of}, p50`, unit: 'ms', digits: 2 },
    { id: `${size} p95`, label: `a search, ${of}, p95`, unit: 'ms', digits: 2 },
    { id: `${size} build`, label: `index of ${of}, time to make`, unit: 'ms', digits: 0 },
    { id: `${size} bytes`, label: `index of ${of}, as a file`, unit: 'MB', digits: 1 },
    { id: `${size} memory`, label: `index of ${of}, in memory`, unit: 'MB', digits: 1 },
  ];
}

type StartRowId =
  | `${'list' | 'warm' | 'cold'} ${'wall' | 'cpu'}`
  | `library ${'ready' | 'look' | 'first' | 'again'}`
  | 'edited'
  | `call ${'p50' | 'p95'}`;

export const START_ROWS: readonly Row<StartRowId>[] = [
  { id: 'list wall', label: 'spawn to tools/list, wall', unit: 'ms', digits: 1 },
  { id: 'list cpu', label: 'spawn to tools/list, CPU', unit: 'ms', digits: 1 },
  { id: 'cold wall', label: 'spawn to first search, no index yet, wall', unit: 'ms', digits: 0 },
  { id: 'cold cpu', label: 'spawn to first search, no index yet, CPU', unit: 'ms', digits: 0 },
  { id: 'warm wall', label: 'spawn to first search, warm index, wall', unit: 'ms', digits: 1 },
  { id: 'warm cpu', label: 'spawn to first search, warm index, CPU', unit: 'ms', digits: 1 },
  { id: 'library ready', label: 'library opened to ready, warm index', unit: 'ms', digits: 1 },
  { id: 'library look', label: 'a bare look at the same files', unit: 'ms', digits: 1 },
  { id: 'library first', label: 'library opened to first answer', unit: 'ms', digits: 1 },
  { id: 'library again', label: 'the search after that', unit: 'ms', digits: 1 },
  { id: 'edited', label: 'file written to search that finds it', unit: 'ms', digits: 1 },
  { id: 'call p50', label: 'knowledge_search over stdio, p50', unit: 'ms', digits: 2 },
  { id: 'call p95', label: 'knowledge_search over stdio, p95', unit: 'ms', digits: 2 },
];

export type RowId = QualityRowId | SearchRowId | StartRowId;

export const TARGETS: readonly Target<RowId, Name>[] = [
  ...COLLECTIONS.flatMap((collection) =>
    ASKED.flatMap((asked) =>
      PEERS.map((peer) => ({
        label: `${collection}, ${asked}, nDCG@10`,
        row: `${collection} ${asked} ndcg` as const,
        peer,
        limit: 1,
        isMinimum: true as const,
        unit: `× ${peer}`,
      })),
    ),
  ),
  { label: 'a search in the large collection, p50', row: 'large p50', limit: 2, unit: 'ms' },
  {
    label: 'ready with a warm index, small collection',
    row: 'library ready',
    of: 'small',
    limit: 50,
    unit: 'ms',
  },
  {
    label: 'ready with a warm index, large collection',
    row: 'library ready',
    limit: 50,
    unit: 'ms',
  },
  {
    label: 'tools/list with the large collection, wall',
    row: 'list wall',
    peer: 'empty',
    limit: 1.1,
    unit: '× without',
  },
  { label: 'file written to search that finds it', row: 'edited', limit: 1000, unit: 'ms' },
];
