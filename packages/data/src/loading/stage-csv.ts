import { type Engine, EngineError, quoteName, quoteText } from '../engine/engine.ts';
import { HEAD_BYTES } from './copy-in.ts';
import { columnNames, dialectOf } from './csv-head.ts';
import { linesAt } from './lines-at.ts';
import { assertColumns, type Remark, type Staged, Unusable } from './staged.ts';

const LONGEST_ROW = 8 * 1024 * 1024;
const MOST_LINES = 5;

export interface CsvOptions {
  readonly delimiter?: string | undefined;
  readonly header?: boolean | undefined;
}

interface Rejected {
  /** Where its record begins, in bytes from 1. */
  readonly at: number;
  readonly kind: string;
}

/** Separated values, all as texts. */
export async function stageCsv(
  engine: Engine,
  copy: string,
  head: Buffer,
  options: CsvOptions,
): Promise<Staged> {
  const dialect = dialectOf(head.toString('utf8'), head.length < HEAD_BYTES, options);
  assertColumns(dialect.cells.length);
  if (dialect.cells.length === 0) {
    const isEmpty = head.length < HEAD_BYTES;
    throw new Unusable(
      isEmpty
        ? 'This is empty: it has not even a header.'
        : 'Its first line is longer than 256 KiB.',
    );
  }
  const given = dialect.hasHeader ? dialect.cells : dialect.cells.map(() => '');
  const names = columnNames(given);
  const source = (more: string) => readCsv(copy, dialect, names, more);
  const stage = `${copy}.stage`;
  const into = (from: string) =>
    `COPY (FROM ${from}) TO ${quoteText(stage)} (FORMAT parquet, COMPRESSION snappy)`;
  const { rejected, isLax } = await copyRows(engine, into, source);
  // Rows that are too short are filled up, now that they are known.
  if (rejected.some(({ kind }) => kind === 'MISSING COLUMNS')) {
    await engine.run(into(source('null_padding = true, ignore_errors = true, parallel = false')));
  }
  return {
    columns: names.map((name, at) => ({ name, given: given[at] ?? '', kind: 'text' })),
    from: `read_parquet(${quoteText(stage)})`,
    remarks: [...(isLax ? [LAX] : []), ...(await remarksOn(copy, rejected))],
  };
}

const LAX: Remark = {
  line: 1,
  severity: 'warning',
  message: 'Its quotes or line ends are not regular: values may have been read differently.',
};

async function copyRows(
  engine: Engine,
  into: (from: string) => string,
  source: (more: string) => string,
): Promise<{ rejected: Rejected[]; isLax: boolean }> {
  // The engine keeps what it rejects for this connection only, and counts records, not lines.
  const list = `SELECT any_value(line_byte_position) AS place, any_value(error_type) FROM reject_errors GROUP BY line ORDER BY place`;
  const attempt = async (more: string) => {
    const { rows } = await engine.run(`${into(source(`store_rejects = true${more}`))}; ${list}`);
    return rows.map(([at, kind]) => ({ at: Number(at), kind: String(kind) }));
  };
  try {
    return { rejected: await attempt(''), isLax: false };
  } catch (error) {
    if (!(error instanceof EngineError) || error.failure !== 'statement') throw error;
    try {
      return { rejected: await attempt(', strict_mode = false'), isLax: true };
    } catch (again) {
      throw again instanceof EngineError && again.failure === 'statement'
        ? unusable(again.message)
        : again;
    }
  }
}

function readCsv(
  copy: string,
  { delimiter, hasHeader }: { readonly delimiter: string; readonly hasHeader: boolean },
  names: readonly string[],
  more: string,
): string {
  const columns = names.map((name) => `${quoteName(name)}: 'VARCHAR'`).join(', ');
  return `read_csv(${quoteText(copy)}, auto_detect = false, delim = ${quoteText(delimiter)},
    quote = '"', escape = '"', header = ${hasHeader}, columns = {${columns}},
    max_line_size = ${LONGEST_ROW}, ${more})`;
}

const GROUPS: readonly {
  readonly kind?: string;
  readonly severity: Remark['severity'];
  readonly one: string;
  readonly several: string;
}[] = [
  {
    kind: 'MISSING COLUMNS',
    severity: 'warning',
    one: 'has too few values: the rest is missing',
    several: 'have too few values: the rest is missing',
  },
  {
    kind: 'TOO MANY COLUMNS',
    severity: 'error',
    one: 'has too many values and is left out',
    several: 'have too many values and are left out',
  },
  {
    severity: 'error',
    one: 'cannot be read and is left out',
    several: 'cannot be read and are left out',
  },
];

async function remarksOn(copy: string, rejected: readonly Rejected[]): Promise<Remark[]> {
  const remarks: Remark[] = [];
  const named = new Set(GROUPS.map(({ kind }) => kind));
  for (const { kind, severity, one, several } of GROUPS) {
    const found = rejected.filter((row) => (kind ? row.kind === kind : !named.has(row.kind)));
    if (found.length === 0) continue;
    const lines = await linesAt(
      copy,
      found.slice(0, MOST_LINES).map(({ at }) => at - 1),
    );
    const more = found.length > lines.length ? ' and more' : '';
    const message =
      found.length === 1
        ? `Line ${lines[0]} ${one}.`
        : `${found.length} lines (${lines.join(', ')}${more}) ${several}.`;
    remarks.push({ line: lines[0] ?? 1, severity, message });
  }
  return remarks;
}

function unusable(message: string): Unusable {
  const line = Number(/Line: (\d+)/.exec(message)?.[1] ?? 1);
  return new Unusable(`The engine cannot read it: ${message.split('\n')[0]}`, line);
}
