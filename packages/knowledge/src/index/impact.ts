import { FIELD_COUNT, FIELDS, type Field } from './fields.ts';

export interface FieldWeight {
  /** What a word in it counts. */
  readonly weight: number;
  /** How far it matters how long it is, from 0 to 1. */
  readonly length: number;
  /** How many words it usually has. */
  readonly usual: number;
}

/** How words are weighed when a text is indexed. */
export interface WordWeights {
  readonly fields: Readonly<Record<Field, FieldWeight>>;
  /** How soon more of the same word counts no more. */
  readonly saturation: number;
}

/**
 * How much a text is about a word, from 0 to 1: BM25F without rarity. Lengths are compared with
 * usual ones, not with those of other texts, so that it holds whatever else is in a collection and
 * need not be computed when somebody searches.
 */
export class ImpactOf {
  readonly #fields: readonly FieldWeight[];
  readonly #saturation: number;

  constructor({ fields, saturation }: WordWeights) {
    this.#fields = FIELDS.map((field) => fields[field]);
    this.#saturation = saturation;
  }

  /** `counts` and `lengths` are those of each field. */
  word(counts: readonly number[], lengths: readonly number[]): number {
    let sum = 0;
    for (let field = 0; field < FIELD_COUNT; field++) {
      const count = counts[field] ?? 0;
      const how = this.#fields[field];
      if (count === 0 || !how) continue;
      sum +=
        (how.weight * count) / (1 - how.length + (how.length * (lengths[field] ?? 0)) / how.usual);
    }
    return sum / (this.#saturation + sum);
  }
}
