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
  | 'memory-ratio'
  | 'git-jobs'
  | 'git-cleaned'
  | 'git-cpu'
  | 'git-land'
  | 'git-peak'
  | 'git-left'
  | 'git-growth';

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
  { id: 'git-jobs', label: '50 jobs in worktrees, 4 at once, landed', unit: 'ms', digits: 0 },
  { id: 'git-cleaned', label: 'the same, until no worktree is left', unit: 'ms', digits: 0 },
  { id: 'git-cpu', label: 'the same, CPU of all processes', unit: 'ms', digits: 0 },
  { id: 'git-land', label: 'to land 50 branches', unit: 'ms', digits: 0 },
  { id: 'git-peak', label: 'worktrees at once', unit: '', digits: 0 },
  { id: 'git-left', label: 'worktrees on disk at the end', unit: 'KB', digits: 0 },
  { id: 'git-growth', label: 'growth of .git by then', unit: 'KB', digits: 0 },
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
  {
    label: '50 jobs in worktrees, landed',
    row: 'git-jobs',
    peer: 'bare',
    limit: 1.5,
    unit: '× bare',
  },
];
