import type { Category, Field } from '../model.ts';
import type { Hop } from './hops.ts';
import type { Operand } from './operand.ts';

/** What a record has to be like, with all names found and all values read. */
export type Condition =
  | { readonly type: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly type: 'not'; readonly of: Condition }
  /** One of its values passes the test: the field's, an item's of a list, or one within JSON. */
  | { readonly type: 'test'; readonly at: Spot; readonly test: Test }
  /** One of the things within JSON fulfils it. */
  | { readonly type: 'inside'; readonly at: JsonSpot; readonly of: Condition }
  /** One of the records there fulfils it. */
  | { readonly type: 'hop'; readonly hop: Hop; readonly of: Condition }
  /** Each word is in one of its fields. */
  | { readonly type: 'words'; readonly category: Category; readonly words: readonly string[] }
  /** These fields, with `/` between them. */
  | { readonly type: 'id'; readonly fields: readonly Field[]; readonly id: string };

export type Spot = { readonly field: Field; readonly keys?: undefined } | JsonSpot;

export interface JsonSpot {
  /** Without it, the thing within JSON that is looked at. */
  readonly field?: Field;
  readonly keys: readonly string[];
}

export type Test =
  | { readonly type: 'exists' }
  | { readonly type: 'in'; readonly operands: readonly Operand[] }
  | { readonly type: Order; readonly operand: Operand }
  | { readonly type: 'contains' | 'regex'; readonly text: string };

export type Order = 'gt' | 'gte' | 'lt' | 'lte';

export const ALWAYS: Condition = { type: 'all', of: [] };

export function not(of: Condition): Condition {
  return of.type === 'not' ? of.of : { type: 'not', of };
}

/** Something at the end of these hops fulfils it. */
export function along(hops: readonly Hop[], of: Condition): Condition {
  return hops.reduceRight<Condition>((inner, hop) => ({ type: 'hop', hop, of: inner }), of);
}

/** Whether it looks at other records. */
export function hasHops(condition: Condition): boolean {
  switch (condition.type) {
    case 'hop':
      return true;
    case 'all':
    case 'any':
      return condition.of.some(hasHops);
    case 'not':
      return hasHops(condition.of);
    default:
      return false;
  }
}
