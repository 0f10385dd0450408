import type { Figure, Figures } from './figures.ts';
import { ERAS, type Era } from './http-messages.ts';
import type { Name } from './programs.ts';
import { CLIENTS, type Clients, loadLabel, type RowId } from './rows.ts';
import { renderTable } from './table.ts';

interface Target {
  readonly label: string;
  readonly row: RowId;
  /** Without a peer, the limit is for the figure itself. */
  readonly peer?: Name;
  readonly limit: number;
  readonly isMinimum?: true;
  readonly unit: string;
}

const TARGETS: readonly Target[] = [
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
function httpTargets(era: Era, clients: Clients): readonly Target[] {
  const row = `http-${era}-${clients}` as const;
  const label = `HTTP, ${loadLabel(era, clients)}`;
  const to = { peer: 'sdk-2', unit: '× sdk-2' } as const;
  return [
    { label: `${label}, calls`, row: `${row}-rate`, limit: 0.9, isMinimum: true, ...to },
    { label: `${label}, p99`, row: `${row}-p99`, limit: 1.1, ...to },
  ];
}

export function renderTargets(figures: Figures): string {
  return renderTable(
    TARGETS.map((target) => {
      const { label, limit, isMinimum, unit } = target;
      const bound = `${isMinimum ? '≥' : '≤'} ${limit} ${unit}`;
      const value = measured(target, figures);
      if (typeof value !== 'number') return [label, bound, '-', 'not measured'];
      return [label, bound, value.toFixed(2), isMissed(target, figures) ? 'MISSED' : 'ok'];
    }),
    2,
  );
}

export function isAnyMissed(figures: Figures): boolean {
  return TARGETS.some((target) => isMissed(target, figures));
}

function isMissed(target: Target, figures: Figures): boolean {
  const value = measured(target, figures);
  if (typeof value !== 'number') return false;
  return target.isMinimum ? value < target.limit : value > target.limit;
}

function measured({ row, peer }: Target, figures: Figures): Figure {
  return peer ? figures.ratio(row, 'baton', peer) : figures.get(row, 'baton');
}
