import type { DeclaredRelation } from '../declared/declared.ts';
import type { Field, Relation } from '../model.ts';

/** What is known of a table before anything is inferred. */
export interface TableFacts {
  readonly id: string;
  /** The name of its view in the engine. */
  readonly table: string;
  readonly name: string;
  readonly aliases: readonly string[];
  /** Its file, for descriptions. */
  readonly from: string;
  readonly fields: readonly Field[];
  readonly rows: number;
  readonly declared: {
    readonly description?: string;
    readonly key?: readonly string[];
    readonly labels?: readonly string[];
    readonly relations?: readonly DeclaredRelation[];
  };
}

export interface InferredTable {
  readonly description: string;
  readonly key: readonly string[];
  readonly labels: readonly string[];
  readonly isLink?: true;
  /** What nobody has declared, and why, in words. */
  readonly inferred: readonly string[];
}

/** Something declared that does not fit the records. */
export interface Misfit {
  /** The id of the category that declares it. */
  readonly category: string;
  /** What of it: `key`, `labels`, or the relation's name. */
  readonly of: string;
  readonly message: string;
}

export interface Inference {
  /** By id. */
  readonly tables: ReadonlyMap<string, InferredTable>;
  readonly relations: readonly Relation[];
  readonly misfits: readonly Misfit[];
}

/** A relation with what it was accepted for. */
export interface FoundRelation extends Relation {
  /** Different values, and how many of them lead somewhere. */
  readonly values: number;
  readonly valuesFound: number;
  /** Whether names say so too. */
  readonly isHinted: boolean;
}
