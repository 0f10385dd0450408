import type { Row } from '../table.ts';
import type { Target } from '../targets.ts';
import { COMMON_LABEL, COMMON_WORD, RARE_LABEL, RARE_WORD, TWO_WORDS } from './mix.ts';

/** How many servers, or bare processes, work at the same time. */
export const CLIENTS = [1, 4] as const;
export type Clients = (typeof CLIENTS)[number];

/** `bare` is the driver that the store uses, by hand; `small` the same call among few tickets. */
export type Name = 'bare' | 'small' | 'baton';
export const CLAIM_NAMES = ['bare', 'baton'] as const;
export type ClaimName = (typeof CLAIM_NAMES)[number];
type ClaimRowId = `claim-${Clients}-${'rate' | 'cpu' | 'p50' | 'p99'}`;

export const CLAIM_ROWS: readonly Row<ClaimRowId>[] = CLIENTS.flatMap((clients) => [
  {
    id: `claim-${clients}-rate`,
    label: `claim and report, ${of(clients)}`,
    unit: '1/s',
    digits: 0,
  },
  { id: `claim-${clients}-cpu`, label: `${of(clients)}, CPU of each`, unit: 'µs', digits: 0 },
  { id: `claim-${clients}-p50`, label: `${of(clients)}, p50`, unit: 'ms', digits: 2 },
  { id: `claim-${clients}-p99`, label: `${of(clients)}, p99`, unit: 'ms', digits: 2 },
]);

/** Calls whose time must not depend on how many tickets there are. */
export const CALLS = {
  'find by id': { tool: 'ticket_find', args: { id: 'T-1' } },
  'find what is open': { tool: 'ticket_find', args: {} },
  'find by a rare word': { tool: 'ticket_find', args: { text: RARE_WORD } },
  'find by two words': { tool: 'ticket_find', args: { text: TWO_WORDS } },
  'find by a common word': { tool: 'ticket_find', args: { text: COMMON_WORD } },
  'find by a rare label': { tool: 'ticket_find', args: { labels: [RARE_LABEL] } },
  'find by a common label': { tool: 'ticket_find', args: { labels: [COMMON_LABEL] } },
  next: { tool: 'ticket_next', args: {} },
  'next with a rare label': { tool: 'ticket_next', args: { labels: [RARE_LABEL] } },
  'next with a common label': { tool: 'ticket_next', args: { labels: [COMMON_LABEL] } },
  'next with a rare word': { tool: 'ticket_next', args: { text: RARE_WORD } },
  'next with two words': { tool: 'ticket_next', args: { text: TWO_WORDS } },
  'next with a common word': { tool: 'ticket_next', args: { text: COMMON_WORD } },
} as const;
export type Call = keyof typeof CALLS;
export const CALL_NAMES = Object.keys(CALLS) as Call[];

export const SIZE_NAMES = ['small', 'baton'] as const;
export type SizeName = (typeof SIZE_NAMES)[number];
type CallRowId = `${Call}, ${'p50' | 'p95'}`;

export const CALL_ROWS: readonly Row<CallRowId>[] = CALL_NAMES.flatMap((call) =>
  (['p50', 'p95'] as const).map((share) => {
    const id = `${call}, ${share}` as const;
    return { id, label: id, unit: 'ms', digits: 2 };
  }),
);

export type RowId = ClaimRowId | CallRowId;

/** A client waits for two answers where a bare process waits for none, and four share the machine. */
const LEAST_SHARE = { 1: 0.2, 4: 0.15 } as const;

export const TARGETS: readonly Target<RowId, Name>[] = [
  ...CLIENTS.map((clients) => ({
    label: `claim and report, ${of(clients)}`,
    row: `claim-${clients}-rate` as const,
    peer: 'bare' as const,
    limit: LEAST_SHARE[clients],
    isMinimum: true as const,
    unit: '× bare',
  })),
  ...CALL_NAMES.map((call) => ({
    label: `${call}, p50`,
    row: `${call}, p50` as const,
    limit: 5,
    unit: 'ms',
  })),
];

function of(clients: Clients): string {
  return clients === 1 ? '1 server' : `${clients} servers`;
}
