import type { Row } from '../table.ts';
import type { Target } from '../targets.ts';

export const NAMES = ['bare', 'baton'] as const;
export type Name = (typeof NAMES)[number];

export const SIZES = [100, 1000, 5000] as const;

export type RowId =
  | 'no-ops'
  | 'latency-p50'
  | 'latency-p99'
  | `schedule-${(typeof SIZES)[number]}`
  | 'schedule-ratio'
  | 'memory-one'
  | 'memory-many'
  | 'memory-ratio';

export const ROWS: readonly Row<RowId>[] = [
  { id: 'no-ops', label: '500 jobs that do nothing, 4 at once', unit: 'ms', digits: 0 },
  {
    id: 'latency-p50',
    label: 'from the end of a need to the next start, p50',
    unit: 'ms',
    digits: 1,
  },
  {
    id: 'latency-p99',
    label: 'from the end of a need to the next start, p99',
    unit: 'ms',
    digits: 1,
  },
  ...SIZES.map(
    (size): Row<RowId> => ({
      id: `schedule-${size}`,
      label: `to schedule a job in a plan of ${size}`,
      unit: 'µs',
      digits: 0,
    }),
  ),
  { id: 'schedule-ratio', label: 'the same, 5000 jobs to 100', unit: '×', digits: 2 },
  { id: 'memory-one', label: 'worker with 1 pending job (RSS)', unit: 'MB', digits: 1 },
  { id: 'memory-many', label: 'worker with 5000 pending jobs (RSS)', unit: 'MB', digits: 1 },
  { id: 'memory-ratio', label: 'the same, 5000 jobs to 1', unit: '×', digits: 2 },
];

export const TARGETS: readonly Target<RowId, Name>[] = [
  {
    label: '500 jobs that do nothing',
    row: 'no-ops',
    peer: 'bare',
    limit: 2,
    unit: '× bare',
  },
  {
    label: 'from the end of a need to the next start, p50',
    row: 'latency-p50',
    limit: 50,
    unit: 'ms',
  },
  { label: 'scheduling, 5000 jobs to 100', row: 'schedule-ratio', limit: 1.5, unit: '×' },
  { label: 'memory, 5000 jobs to 1', row: 'memory-ratio', limit: 1.2, unit: '×' },
];
