import type { Records } from '../make-tables.ts';

export interface TestCatalogue {
  readonly tables: { readonly [table: string]: Records };
  /** Of every table; none is an empty text. */
  readonly keys: { readonly [table: string]: string };
  /** The first label of the tables that have one. */
  readonly labels: { readonly [table: string]: string };
  /** `orders.buyer → customers.customer_no`, `*` before the arrow if it leads to many. */
  readonly relations: readonly string[];
  readonly links?: readonly string[];
}
