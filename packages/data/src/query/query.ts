import type { Engine, Result } from '../engine/engine.ts';
import type { Catalogue, Cell } from '../model.ts';
import { queryFailure } from './failures.ts';
import { type Fitted, fitRows } from './fit-rows.ts';
import { USUAL_ROWS } from './limits.ts';
import { prepare } from './table-names.ts';

const USUAL_SECONDS = 10;

export interface QueryRequest {
  readonly sql: string;
  /** 100 if nothing is said. */
  readonly rows?: number;
  /** How long the answer may become, as JSON. */
  readonly characters?: number;
  readonly seconds?: number;
  readonly signal?: AbortSignal;
}

export interface QueryAnswer {
  /** Of two columns with the same name, the second one has a number at its end. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly Cell[])[];
  /** Whether there is more than is shown. */
  readonly truncated: boolean;
  /** Of the data. */
  readonly version: string;
  readonly next?: string;
}

/** Runs one SELECT over the catalogue. */
export async function query(
  catalogue: Catalogue,
  engine: Engine,
  request: QueryRequest,
): Promise<QueryAnswer> {
  const { sql, seconds = USUAL_SECONDS, signal } = request;
  const rows = Math.max(1, Math.trunc(request.rows ?? USUAL_ROWS));
  let categories: Parameters<typeof queryFailure>[1] = [];
  try {
    const prepared = await prepare(catalogue, engine, sql, signal);
    categories = prepared.categories;
    const options = { rows, seconds, ...(signal && { signal }) };
    const result = await engine.run(prepared.sql, options);
    return answer(result, fitRows(result, request.characters), catalogue.version);
  } catch (error) {
    throw queryFailure(error, categories, seconds);
  }
}

function answer(result: Result, fitted: Fitted, version: string): QueryAnswer {
  const { columns, rows, hasCutTexts } = fitted;
  const hints: string[] = [];
  if (columns.length < result.columns.length) {
    hints.push(
      `${columns.length} of ${result.columns.length} columns are shown: name the ones you need.`,
    );
  }
  if (hasCutTexts) hints.push('Values that end in … are cut: select fewer, or parts of them.');
  if (result.isCut || rows.length < result.rows.length) {
    hints.push(
      `${rows.length === 1 ? 'One row is' : `${rows.length} rows are`} shown and there are more: aggregate, filter, or page with ORDER BY, LIMIT and OFFSET.`,
    );
  }
  return {
    columns,
    rows,
    truncated: hints.length > 0,
    version,
    ...(hints.length > 0 && { next: hints.join(' ') }),
  };
}
