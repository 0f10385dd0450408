import type { Row } from '../table.ts';
import type { Target } from '../targets.ts';
import type { Name } from './protocol.ts';

/** How many processes write at the same time. */
export const WRITERS = [1, 4] as const;
export type Writers = (typeof WRITERS)[number];

type LoadRowId =
  | `${'insert' | 'claim'}-${Writers}-${'rate' | 'cpu' | 'fair'}`
  | `claim-${Writers}-${'p50' | 'p99'}`;
export type RowId =
  | LoadRowId
  | `notice-${'p50' | 'p99'}`
  | `open-${'first' | 'again'}`
  | `grow-${'early' | 'late' | 'ratio'}`;

export const ROWS: readonly Row<RowId>[] = [
  ...WRITERS.flatMap((writers): readonly Row<RowId>[] => [
    {
      id: `insert-${writers}-rate`,
      label: `durable writes, ${of(writers)}`,
      unit: '1/s',
      digits: 0,
    },
    {
      id: `insert-${writers}-cpu`,
      label: `durable writes, ${of(writers)}, CPU of each`,
      unit: 'µs',
      digits: 0,
    },
    {
      id: `claim-${writers}-rate`,
      label: `claim and complete, ${of(writers)}`,
      unit: '1/s',
      digits: 0,
    },
    {
      id: `claim-${writers}-cpu`,
      label: `claim and complete, ${of(writers)}, CPU of each`,
      unit: 'µs',
      digits: 0,
    },
    { id: `claim-${writers}-p50`, label: `a claim, ${of(writers)}, p50`, unit: 'ms', digits: 2 },
    { id: `claim-${writers}-p99`, label: `a claim, ${of(writers)}, p99`, unit: 'ms', digits: 2 },
  ]),
  {
    id: 'insert-4-fair',
    label: 'durable writes, the slowest of 4',
    unit: '% of a quarter',
    digits: 0,
  },
  {
    id: 'claim-4-fair',
    label: 'claim and complete, the slowest of 4',
    unit: '% of a quarter',
    digits: 0,
  },
  { id: 'notice-p50', label: 'notice of a commit elsewhere, p50', unit: 'ms', digits: 1 },
  { id: 'notice-p99', label: 'notice of a commit elsewhere, p99', unit: 'ms', digits: 1 },
  { id: 'open-first', label: 'open, library included', unit: 'ms', digits: 1 },
  { id: 'open-again', label: 'open, library loaded', unit: 'ms', digits: 1 },
  { id: 'grow-early', label: 'file and WAL, after a fifth of the events', unit: 'KB', digits: 0 },
  { id: 'grow-late', label: 'file and WAL, after all events', unit: 'KB', digits: 0 },
  { id: 'grow-ratio', label: 'growth, from a fifth of the events to all', unit: '×', digits: 2 },
];

export const TARGETS: readonly Target<RowId, Name>[] = [
  ...WRITERS.flatMap((writers) =>
    (['insert', 'claim'] as const).map((what) => ({
      label: `${what === 'insert' ? 'durable writes' : 'claim and complete'}, ${of(writers)}`,
      row: `${what}-${writers}-rate` as const,
      peer: 'bare' as const,
      limit: 0.7,
      isMinimum: true as const,
      unit: '× bare',
    })),
  ),
  { label: 'notice of a commit elsewhere, p50', row: 'notice-p50', limit: 60, unit: 'ms' },
  { label: 'open, library included', row: 'open-first', limit: 25, unit: 'ms' },
  { label: 'growth, from a fifth of the events to all', row: 'grow-ratio', limit: 1.2, unit: '×' },
];

function of(writers: Writers): string {
  return writers === 1 ? '1 process' : `${writers} processes`;
}
