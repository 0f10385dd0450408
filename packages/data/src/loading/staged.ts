/** A column as it was read, before it has a type. */
export interface RawColumn {
  readonly name: string;
  /** What the file calls it; two of its columns may be called the same. */
  readonly given: string;
  /** Texts of separated values, values of JSON, or what a Parquet file says itself. */
  readonly kind: 'text' | 'json' | 'typed';
  /** In the engine's words, of what a Parquet file says. */
  readonly sqlType?: string;
}

export interface Remark {
  readonly line: number;
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

/** Records in a file of the engine's own, each column as it was read. */
export interface Staged {
  readonly columns: readonly RawColumn[];
  /** What stands behind FROM. */
  readonly from: string;
  readonly remarks: readonly Remark[];
}

/** A file whose records cannot be used, and why. */
export class Unusable extends Error {
  override readonly name = 'Unusable';
  readonly line: number;

  constructor(message: string, line = 1) {
    super(message);
    this.line = line;
  }
}

export const MOST_COLUMNS = 1000;

export function assertColumns(count: number): void {
  if (count > MOST_COLUMNS) throw new Unusable(`This has more than ${MOST_COLUMNS} fields.`);
}
