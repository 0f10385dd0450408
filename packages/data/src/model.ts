/** A value as answers carry it: JSON, with large integers, times and bytes as texts. */
export type Cell =
  | null
  | boolean
  | number
  | string
  | readonly Cell[]
  | { readonly [key: string]: Cell };

export const FIELD_TYPES = [
  'text',
  'integer',
  'number',
  'boolean',
  'date',
  'timestamp',
  /** All values are lists of texts, integers, numbers or booleans. */
  'list',
  /** Objects, lists of them, or values of several kinds: JSON. */
  'json',
  'binary',
] as const;

export type FieldType = (typeof FIELD_TYPES)[number];

export interface Field {
  /** As it stands in the file, and in SQL. */
  readonly name: string;
  readonly type: FieldType;
  /** Of the column, in the engine's words. */
  readonly sqlType: string;
  readonly description?: string;
  readonly aliases: readonly string[];
  /** Whether somebody has said that every record has it. */
  readonly isRequired?: true;
  /** Records without a value. */
  readonly missing: number;
  /** Different values; of many records it is an estimate, unless nearly all are different. */
  readonly distinct: number;
  /** Whether no value occurs twice. */
  readonly isUnique?: true;
  readonly min?: Cell;
  readonly max?: Cell;
  /** The most frequent values, or items of lists, the most frequent first, as texts; none if there are many. */
  readonly top: readonly { readonly value: string; readonly count: number }[];
  /** Some of the first values, as texts, of fields that have no `top`. */
  readonly samples?: readonly string[];
  /** What was noticed when the values were read. */
  readonly notes: readonly string[];
}

/** Records of one category lead to records of another. */
export interface Relation {
  /** What it is called in filters: `department`. Of one category, no two have the same. */
  readonly name: string;
  readonly description?: string;
  /** Ids of the categories. */
  readonly from: string;
  readonly field: string;
  readonly to: string;
  readonly toField: string;
  /** How many records of `to` a record of `from` leads to. */
  readonly cardinality: 'one' | 'many';
  readonly isInferred?: true;
  /** Values that lead somewhere, and that lead nowhere; lists count by their items. */
  readonly found: number;
  readonly dangling: number;
}

export interface SampleQuery {
  readonly title: string;
  readonly description?: string;
  readonly sql?: string;
  readonly filters?: { readonly [field: string]: Cell };
}

export interface Category {
  readonly id: string;
  /** What it is called in SQL without quotes. */
  readonly table: string;
  readonly name: string;
  readonly description: string;
  /** Nobody has described it: the description only tells its file and fields. */
  readonly isUndescribed?: true;
  readonly aliases: readonly string[];
  readonly purpose?: string;
  readonly cadence?: string;
  readonly access?: string;
  /** When to look here. */
  readonly routing: readonly string[];
  /** The fields that tell records apart; none if nothing does. */
  readonly key: readonly string[];
  /** Fields by which people name a record, the best first: name, title, code. */
  readonly labels: readonly string[];
  readonly fields: readonly Field[];
  readonly rows: number;
  /** Of its records: a hash of their file's bytes and of how they were read. */
  readonly version: string;
  /** Its file, with the name of its source. */
  readonly from: string;
  readonly queries: readonly SampleQuery[];
  /** Records that somebody has chosen as examples. */
  readonly examples: readonly Cell[];
  /** What was inferred and can be overridden, in words. */
  readonly inferred: readonly string[];
  /** Whether it only connects two others, such as `people_skills`. */
  readonly isLink?: true;
}

export interface Problem {
  /** Its path, with the name of its source. */
  readonly file: string;
  readonly line: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

export interface Catalogue {
  /** Of everything in it. */
  readonly version: string;
  /** By id, in order. */
  readonly categories: readonly Category[];
  readonly relations: readonly Relation[];
  readonly problems: readonly Problem[];
}
