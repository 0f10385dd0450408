/** `undefined` where this was not measured, or cannot be on this machine. */
export type Figure = number | 'refused' | undefined;

/** The samples of a run; a figure is their median. */
export class Figures<RowId extends string, Name extends string> {
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
    return typeof a === 'number' && typeof b === 'number' && b !== 0 ? a / b : undefined;
  }
}

export function percentile(samples: readonly number[], share: number): number | undefined {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
