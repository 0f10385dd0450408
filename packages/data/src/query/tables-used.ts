import { BatonError } from '@baton/core';
import type { Catalogue, Category } from '../model.ts';
import { namesOf } from '../names.ts';
import { categoriesNamed } from './category-names.ts';
import { checkPart, partRefused } from './harmless-parts.ts';
import { listed, nearNames, shownName } from './near-names.ts';
import { lower, type Tree } from './parse.ts';

/** A place in a statement where a category is named. */
export interface TableUse {
  readonly category: Category;
  readonly spelling: string;
  /** In bytes, from 0. */
  readonly at: number;
  readonly hasAlias: boolean;
}

/** Names that a WITH has given, the innermost first. */
type Scope = { readonly name: string; readonly outer: Scope } | undefined;

interface Visit {
  readonly value: unknown;
  readonly scope: Scope;
  readonly isTableFunction?: true;
}

/**
 * Where a statement names categories. It is walked with a stack of its own, because hostile
 * statements are deep; what is not known to be harmless is refused.
 */
export function tablesUsed(catalogue: Catalogue, statement: Tree): readonly TableUse[] {
  const uses: TableUse[] = [];
  const stack: Visit[] = [{ value: statement, scope: undefined }];
  for (let visit = stack.pop(); visit; visit = stack.pop()) {
    const { value, scope } = visit;
    if (Array.isArray(value)) for (const item of value) stack.push({ value: item, scope });
    if (!isTree(value) || isConstant(value)) continue;
    checkPart(value, visit.isTableFunction);
    const use = value['type'] === 'BASE_TABLE' ? useOf(catalogue, value, scope) : undefined;
    if (use) uses.push(use);
    stack.push(...partsOf(value, scope));
  }
  return uses.toSorted((a, b) => a.at - b.at);
}

function isConstant(tree: Tree): boolean {
  return isTree(tree['type']) && 'is_null' in tree;
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function partsOf(tree: Tree, outer: Scope): readonly Visit[] {
  const { cte_map: ctes, ...rest } = tree;
  const parts: Visit[] = [];
  let scope = outer;
  for (const { key, value } of entriesOf(ctes)) {
    checkNameOf(key);
    // Inside of it, its own name means what it meant before.
    parts.push({ value, scope });
    scope = { name: lower(key), outer: scope };
  }
  for (const [key, value] of Object.entries(rest)) {
    if (key === 'value' && tree['class'] === 'CONSTANT') continue;
    const isTableFunction = key === 'function' && tree['type'] === 'TABLE_FUNCTION';
    // Only the second part of a recursive one sees what it has made so far.
    const isRepeated = key === 'right' && tree['type'] === 'RECURSIVE_CTE_NODE';
    const inside = isRepeated ? { name: lower(String(tree['cte_name'])), outer: scope } : scope;
    parts.push({ value, scope: inside, ...(isTableFunction && { isTableFunction }) });
  }
  return parts;
}

/** Wherever the engine might not see such a name, it would look for a file or for its own tables. */
function checkNameOf(cte: string): void {
  if (!/[./\\:*?]|^(?:duckdb|pg|pragma|sqlite)_/i.test(cte)) return;
  throw new BatonError(
    'data_query_refused',
    `WITH cannot name something ${shownName(cte)}.`,
    'Give it a plain name of letters, digits and _.',
  );
}

function entriesOf(ctes: unknown): readonly { readonly key: string; readonly value: unknown }[] {
  return isTree(ctes) && Array.isArray(ctes['map']) ? ctes['map'] : [];
}

function useOf(catalogue: Catalogue, table: Tree, scope: Scope): TableUse | undefined {
  const spelling = String(table['table_name']);
  if (table['at_clause']) throw partRefused('AT');
  const schema = [table['catalog_name'], table['schema_name']].filter(Boolean).join('.');
  if (schema) throw categoryUnknown(catalogue, `${schema}.${spelling}`, spelling);
  for (let cte = scope; cte; cte = cte.outer) if (cte.name === lower(spelling)) return undefined;
  const [category, another] = categoriesNamed(catalogue, spelling);
  if (!category) throw categoryUnknown(catalogue, spelling, spelling);
  if (another) {
    throw new BatonError(
      'data_category_unknown',
      `${shownName(spelling)} is a name of both ${category.table} and ${another.table}.`,
      `Write ${category.table} or ${another.table}.`,
    );
  }
  const at = Number(table['query_location'] ?? -1);
  return { category, spelling, at, hasAlias: Boolean(table['alias']) };
}

function categoryUnknown(catalogue: Catalogue, shown: string, spelling: string): BatonError {
  const tables = catalogue.categories.map(({ table }) => table);
  const nearOnes = nearNames(spelling, catalogue.categories.flatMap(namesOf)).flatMap((name) =>
    categoriesNamed(catalogue, name).map(({ table }) => table),
  );
  const near = [...new Set(nearOnes)];
  return new BatonError(
    'data_category_unknown',
    `There is no category ${shownName(shown)}${near.length > 0 ? `; near it are ${listed(near)}` : ''}.`,
    tables.length > 0 ? `Read from one of: ${listed(tables)}.` : 'The catalogue is empty.',
  );
}
