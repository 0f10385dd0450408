import { ERAS, type Era } from './http-messages.ts';
import type { Name } from './programs.ts';
import { CLIENTS, type Clients, loadLabel, type RowId } from './rows.ts';
import type { Target } from './targets.ts';

export const TARGETS: readonly Target<RowId, Name>[] = [
  { label: 'first answer, CPU', row: 'first-cpu', peer: 'bare', limit: 2.6, unit: '× bare' },
  { label: 'tools/list, wall', row: 'list-wall', limit: 400, unit: 'ms' },
  {
    label: 'calls, pipelined',
    row: 'pipelined',
    peer: 'sdk-2',
    limit: 1.5,
    isMinimum: true,
    unit: '× sdk-2',
  },
  { label: '50 MB message, CPU', row: '50mb-cpu', peer: 'loop', limit: 1.5, unit: '× loop' },
  { label: '50 MB message, wall', row: '50mb-wall', peer: 'loop', limit: 1.5, unit: '× loop' },
  { label: 'idle memory (RSS)', row: 'memory', limit: 60, unit: 'MB' },
  ...ERAS.flatMap((era) => CLIENTS.flatMap((clients) => httpTargets(era, clients))),
];

/** A tenth may be lost to what the SDK's handler has not: a token, limits, a log. */
function httpTargets(era: Era, clients: Clients): readonly Target<RowId, Name>[] {
  const row = `http-${era}-${clients}` as const;
  const label = `HTTP, ${loadLabel(era, clients)}`;
  const to = { peer: 'sdk-2', unit: '× sdk-2' } as const;
  return [
    { label: `${label}, calls`, row: `${row}-rate`, limit: 0.9, isMinimum: true, ...to },
    { label: `${label}, p99`, row: `${row}-p99`, limit: 1.1, ...to },
  ];
}
