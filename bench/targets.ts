import type { Figure, Figures } from './figures.ts';
import { renderTable } from './table.ts';

export interface Target<RowId extends string, Name extends string> {
  readonly label: string;
  readonly row: RowId;
  /** Whose figure it is about; Baton's without it. */
  readonly of?: Name;
  /** Without a peer, the limit is for the figure itself. */
  readonly peer?: Name;
  readonly limit: number;
  readonly isMinimum?: true;
  readonly unit: string;
}

export function renderTargets<RowId extends string, Name extends string>(
  targets: readonly Target<RowId, Name>[],
  figures: Figures<RowId, Name | 'baton'>,
): string {
  return renderTable(
    targets.map((target) => {
      const { label, limit, isMinimum, unit } = target;
      const bound = `${isMinimum ? '≥' : '≤'} ${limit} ${unit}`;
      const value = measured(target, figures);
      if (typeof value !== 'number') return [label, bound, '-', 'not measured'];
      return [label, bound, value.toFixed(2), isMissed(target, figures) ? 'MISSED' : 'ok'];
    }),
    2,
  );
}

export function isAnyMissed<RowId extends string, Name extends string>(
  targets: readonly Target<RowId, Name>[],
  figures: Figures<RowId, Name | 'baton'>,
): boolean {
  return targets.some((target) => isMissed(target, figures));
}

function isMissed<RowId extends string, Name extends string>(
  target: Target<RowId, Name>,
  figures: Figures<RowId, Name | 'baton'>,
): boolean {
  const value = measured(target, figures);
  if (typeof value !== 'number') return false;
  return target.isMinimum ? value < target.limit : value > target.limit;
}

function measured<RowId extends string, Name extends string>(
  { row, peer, of }: Target<RowId, Name>,
  figures: Figures<RowId, Name | 'baton'>,
): Figure {
  const name = of ?? 'baton';
  return peer ? figures.ratio(row, name, peer) : figures.get(row, name);
}
