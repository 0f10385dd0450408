export type Format = 'csv' | 'tsv' | 'json' | 'ndjson' | 'parquet';

const ENDINGS: ReadonlyMap<string, Format> = new Map([
  ['csv', 'csv'],
  ['tsv', 'tsv'],
  ['tab', 'tsv'],
  ['json', 'json'],
  ['ndjson', 'ndjson'],
  ['jsonl', 'ndjson'],
  ['parquet', 'parquet'],
]);

/** What a file of records is written in, by its ending. */
export function formatOf(file: string): Format | undefined {
  return ENDINGS.get(file.slice(file.lastIndexOf('.') + 1).toLowerCase());
}
