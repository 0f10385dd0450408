import { ERAS, type Era } from './http-messages.ts';
import type { Row } from './table.ts';

export const STDIO_ROWS = [
  { id: 'first-cpu', label: 'first answer, CPU', unit: 'ms', digits: 1 },
  { id: 'first-wall', label: 'first answer, wall', unit: 'ms', digits: 1 },
  { id: 'list-cpu', label: 'tools/list, CPU', unit: 'ms', digits: 1 },
  { id: 'list-wall', label: 'tools/list, wall', unit: 'ms', digits: 1 },
  { id: 'memory', label: 'idle memory (RSS)', unit: 'MB', digits: 1 },
  { id: 'pipelined', label: 'calls, pipelined', unit: '1/s', digits: 0 },
  { id: 'pipelined-cpu', label: 'CPU per pipelined call', unit: 'µs', digits: 1 },
  { id: 'p50', label: 'one at a time, p50', unit: 'µs', digits: 0 },
  { id: 'p99', label: 'one at a time, p99', unit: 'µs', digits: 0 },
  { id: '1mb-cpu', label: '1 MB message, CPU', unit: 'ms', digits: 1 },
  { id: '1mb-wall', label: '1 MB message, wall', unit: 'ms', digits: 1 },
  { id: '10mb-cpu', label: '10 MB message, CPU', unit: 'ms', digits: 1 },
  { id: '10mb-wall', label: '10 MB message, wall', unit: 'ms', digits: 1 },
  { id: '50mb-cpu', label: '50 MB message, CPU', unit: 'ms', digits: 1 },
  { id: '50mb-wall', label: '50 MB message, wall', unit: 'ms', digits: 1 },
] as const;

/** How many call at the same time. */
export const CLIENTS = [1, 16] as const;

export type Clients = (typeof CLIENTS)[number];

type HttpCallsRowId = `http-${Era}-${Clients}-${'rate' | 'cpu' | 'p50' | 'p99'}`;
export type RowId =
  | (typeof STDIO_ROWS)[number]['id']
  | HttpCallsRowId
  | 'session-heap'
  | 'session-memory';

export const HTTP_ROWS: readonly Row<RowId>[] = [
  ...ERAS.flatMap((era) =>
    CLIENTS.flatMap((clients): readonly Row<RowId>[] => {
      const row = `http-${era}-${clients}` as const;
      const label = loadLabel(era, clients);
      return [
        { id: `${row}-rate`, label: `${label}, calls`, unit: '1/s', digits: 0 },
        { id: `${row}-cpu`, label: `${label}, CPU per call`, unit: 'µs', digits: 1 },
        { id: `${row}-p50`, label: `${label}, p50`, unit: 'µs', digits: 0 },
        { id: `${row}-p99`, label: `${label}, p99`, unit: 'µs', digits: 0 },
      ];
    }),
  ),
  { id: 'session-heap', label: 'idle session, heap', unit: 'KB', digits: 1 },
  { id: 'session-memory', label: 'idle session, RSS', unit: 'KB', digits: 1 },
];

export function loadLabel(era: Era, clients: Clients): string {
  return `${era} era, ${clients} client${clients > 1 ? 's' : ''}`;
}
