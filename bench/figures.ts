import type { Name } from './programs.ts';

export const ROWS = [
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

export type RowId = (typeof ROWS)[number]['id'];
/** `undefined` where this was not measured, or cannot be on this machine. */
export type Figure = number | 'refused' | undefined;

/** The samples of a run; a figure is their median. */
export class Figures {
  readonly #samples = new Map<string, number[]>();
  readonly #refused = new Set<string>();

  add(row: RowId, name: Name, sample: number | undefined): void {
    if (sample === undefined) return;
    const key = `${row} ${name}`;
    const samples = this.#samples.get(key);
    if (samples) samples.push(sample);
    else this.#samples.set(key, [sample]);
  }

  refuse(row: RowId, name: Name): void {
    this.#refused.add(`${row} ${name}`);
  }

  get(row: RowId, name: Name): Figure {
    const key = `${row} ${name}`;
    if (this.#refused.has(key)) return 'refused';
    return percentile(this.#samples.get(key) ?? [], 0.5);
  }

  ratio(row: RowId, name: Name, to: Name): number | undefined {
    const [a, b] = [this.get(row, name), this.get(row, to)];
    return typeof a === 'number' && typeof b === 'number' ? a / b : undefined;
  }
}

export function percentile(samples: readonly number[], share: number): number | undefined {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
