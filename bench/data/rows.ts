import type { Row } from '../table.ts';
import type { Target } from '../targets.ts';
import { FORMATS, type Format } from './grow.ts';
import { ASKED, QUERIES } from './questions.ts';

/**
 * `table` is DuckDB by hand with the records in memory, `file` the same on the bare file, `js` plain
 * loops over objects in memory, `empty` this program in a workspace without data.
 */
export type Name = 'table' | 'file' | 'js' | 'empty' | 'baton';

export const COLD_NAMES = ['table', 'js', 'baton'] as const;
export const WARM_NAMES = ['file', 'baton'] as const;
export const ASKED_NAMES = ['table', 'file', 'js', 'baton'] as const;
export const LIST_NAMES = ['empty', 'baton'] as const;

/** Of the processes that answer together, and of each of Baton's two. */
const PROCESSES = ['all', 'server', 'engine'] as const;
/** From the files, and after all questions from the cache. */
const MOMENTS = ['loaded', 'asked'] as const;
type Process = (typeof PROCESSES)[number];
export type Moment = (typeof MOMENTS)[number];

type FormatRow =
  | `cold ${'first' | 'cpu'}`
  | `warm ${'count' | 'group'}`
  | (typeof ASKED)[number]
  | 'sum'
  | `memory ${Moment} ${Process} ${'now' | 'peak'}`;
type DescribeRow = `describe ${'cold' | 'warm' | 'again' | 'tokens' | 'category'}`;
export type RowId = `${Format} ${FormatRow}` | DescribeRow | 'call' | `list ${'wall' | 'cpu'}`;

const ms = { unit: 'ms', digits: 0 } as const;

export function coldRows(format: Format): readonly Row<RowId>[] {
  return [
    { id: `${format} cold first`, label: `${format}, spawn to first count, nothing cached`, ...ms },
    { id: `${format} cold cpu`, label: `${format}, the CPU that it took`, ...ms },
  ];
}

export function warmRows(format: Format): readonly Row<RowId>[] {
  return [
    { id: `${format} warm count`, label: `${format}, spawn to first count, cached`, ...ms },
    { id: `${format} warm group`, label: `${format}, spawn to first group, cached`, ...ms },
  ];
}

export function askedRows(format: Format): readonly Row<RowId>[] {
  return [...ASKED, 'sum' as const].map((name) => ({
    id: `${format} ${name}`,
    label: name === 'sum' ? `${format}, sum of ${QUERIES.join(', ')}` : `${format}, ${name}`,
    unit: 'ms',
    digits: 1,
  }));
}

export function memoryRows(format: Format): readonly Row<RowId>[] {
  return MOMENTS.flatMap((moment) =>
    PROCESSES.flatMap((process) =>
      (['now', 'peak'] as const).map((which) => ({
        id: `${format} memory ${moment} ${process} ${which}` as const,
        label: `${format}, ${moment === 'loaded' ? 'files loaded' : 'questions answered'}, ${process}${which === 'peak' ? ', peak' : ''}`,
        unit: 'MB',
        digits: 0,
      })),
    ),
  );
}

export function describeRows(tables: number): readonly Row<RowId>[] {
  return [
    { id: 'describe cold', label: `spawn to description of ${tables} tables, cold`, ...ms },
    { id: 'describe warm', label: 'the same with a cache', ...ms },
    { id: 'describe again', label: 'the call after that', unit: 'ms', digits: 1 },
    { id: 'describe tokens', label: 'its answer', unit: 'tokens', digits: 0 },
    { id: 'describe category', label: 'the answer for one table', unit: 'tokens', digits: 0 },
    { id: 'call', label: 'a query of nothing (SELECT 1)', unit: 'ms', digits: 2 },
  ];
}

export const LIST_ROWS: readonly Row<RowId>[] = [
  { id: 'list wall', label: 'spawn to tools/list, wall', unit: 'ms', digits: 1 },
  { id: 'list cpu', label: 'spawn to tools/list, CPU', unit: 'ms', digits: 1 },
];

export const TARGETS: readonly Target<RowId, Name>[] = [
  ...FORMATS.flatMap((format) => [
    ...QUERIES.map((query) => ({
      label: `${format}, ${query}`,
      row: `${format} ${query}` as const,
      peer: 'file' as const,
      limit: 1.2,
      unit: '× DuckDB on the file',
    })),
    {
      label: `${format}, sum of ${QUERIES.join(', ')}`,
      row: `${format} sum` as const,
      peer: 'table' as const,
      limit: 1.2,
      unit: '× DuckDB in memory',
    },
    {
      label: `${format}, spawn to first count, cached`,
      row: `${format} warm count` as const,
      peer: 'file' as const,
      limit: 1,
      unit: '× DuckDB on the file',
    },
  ]),
  {
    label: 'tools/list with all of this data, wall',
    row: 'list wall',
    peer: 'empty',
    limit: 1.1,
    unit: '× without',
  },
];
