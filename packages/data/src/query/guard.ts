import type { Engine } from '../engine/engine.ts';
import type { Catalogue, Category } from '../model.ts';
import { parseSelect } from './parse.ts';
import { type TableUse, tablesUsed } from './tables-used.ts';

/** A statement that may run. */
export interface Guarded {
  readonly categories: readonly Category[];
  /** Every place where a category is named. */
  readonly uses: readonly TableUse[];
}

/**
 * Finds out whether a statement only reads the catalogue. It is judged by the tree that the
 * engine's own parser makes of it, so that nothing can mean something else to the engine.
 */
export async function guard(
  catalogue: Catalogue,
  engine: Engine,
  sql: string,
  signal?: AbortSignal,
): Promise<Guarded> {
  const uses = tablesUsed(catalogue, await parseSelect(engine, sql, signal));
  return { categories: [...new Set(uses.map(({ category }) => category))], uses };
}
