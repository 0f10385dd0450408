import type { Row } from '../table.ts';
import type { Target } from '../targets.ts';

/** `bare` is the language server by hand with plain writes, `safe` with writes as editors do them. */
export type Name = 'bare' | 'safe' | 'baton';
export const NAMES = ['bare', 'safe', 'baton'] as const;

export const SIZES = [50, 2000] as const;
export type Size = (typeof SIZES)[number];
const KINDS = ['symbol', 'file'] as const;
type Kind = (typeof KINDS)[number];

export type RowId =
  | `${Size} first`
  | `${Size} later ${Kind}`
  | `${Size} memory ${'all' | 'server'}`
  | `${Size} stall`;

export function rows(size: Size): readonly Row<RowId>[] {
  return [
    {
      id: `${size} first`,
      label: `${size} files, first renaming of a symbol`,
      unit: 'ms',
      digits: 0,
    },
    ...KINDS.map(
      (kind) =>
        ({
          id: `${size} later ${kind}`,
          label: `${size} files, later renaming of a ${kind}`,
          unit: 'ms',
          digits: 1,
        }) as const,
    ),
    {
      id: `${size} memory all`,
      label: `${size} files, memory of all processes`,
      unit: 'MB',
      digits: 0,
    },
    {
      id: `${size} memory server`,
      label: `${size} files, of the language server`,
      unit: 'MB',
      digits: 0,
    },
    { id: `${size} stall`, label: `${size} files, longest turn`, unit: 'ms', digits: 0 },
  ];
}

const LIMIT = 1.2;

export const TARGETS: readonly Target<RowId, Name>[] = SIZES.flatMap((size) => [
  ...(['first', 'later symbol', 'later file'] as const).map((what) => ({
    label: `${size} files, ${what}, against the bare language server`,
    row: `${size} ${what}` as const,
    peer: 'bare' as const,
    limit: LIMIT,
    unit: '×',
  })),
  { label: `${size} files, longest turn`, row: `${size} stall` as const, limit: 50, unit: 'ms' },
]);
