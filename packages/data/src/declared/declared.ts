import type { Cell, FieldType, Problem, SampleQuery } from '../model.ts';

export interface DeclaredField {
  readonly name: string;
  readonly type?: FieldType;
  readonly description?: string;
  readonly aliases?: readonly string[];
  readonly isRequired?: true;
  readonly isSecret?: true;
}

export interface DeclaredRelation {
  readonly name: string;
  readonly field: string;
  /** The id, name or alias of a category. */
  readonly to: string;
  readonly toField?: string;
  readonly cardinality?: 'one' | 'many';
  readonly description?: string;
  /** What would be inferred is not true: `name` is the relation's or its field's, `to` is empty. */
  readonly isNone?: true;
}

export interface DeclaredCategory {
  readonly id?: string;
  readonly name?: string;
  readonly description?: string;
  readonly aliases?: readonly string[];
  readonly purpose?: string;
  readonly cadence?: string;
  readonly access?: string;
  readonly routing?: readonly string[];
  readonly key?: readonly string[];
  readonly labels?: readonly string[];
  readonly isHidden?: true;
  readonly fields?: readonly DeclaredField[];
  readonly relations?: readonly DeclaredRelation[];
  readonly queries?: readonly SampleQuery[];
  readonly examples?: readonly Cell[];
  readonly csv?: { readonly delimiter?: string; readonly header?: boolean };
}

export interface DeclaredCatalog {
  readonly description?: string;
  readonly categories: readonly CatalogEntry[];
}

export interface CatalogEntry {
  /** The name of a file without its ending, or of a folder. */
  readonly key: string;
  /** The file, if it is said. */
  readonly file?: string;
  readonly declared: DeclaredCategory;
}

/** What a file declares. Of what is wrong nothing is declared, and it is told. */
export interface Reading<Declared> {
  readonly declared: Declared;
  readonly problems: readonly Problem[];
}
