import { quoteName } from '../engine/engine.ts';
import type { Catalogue, Category, Field } from '../model.ts';

export interface ShownQuery {
  readonly title: string;
  readonly sql?: string;
  /** Of data_search, as JSON. */
  readonly filters?: string;
}

/** What people have written down, or else what fits most tables. */
export function sampleQueries(catalogue: Catalogue, category: Category): ShownQuery[] {
  const given = category.queries.map(({ title, sql, filters }) => ({
    title,
    ...(sql !== undefined && { sql }),
    ...(filters && { filters: JSON.stringify(filters) }),
  }));
  const useful = given.filter(({ sql, filters }) => sql !== undefined || filters !== undefined);
  return useful.length > 0 ? given : [...counting(category), ...joining(catalogue, category)];
}

function counting({ table, fields, rows }: Category): ShownQuery[] {
  const group = fields.find((field) => isGroup(field, rows));
  if (!group) return [];
  const name = plainName(group.name);
  return [
    {
      title: `How many by ${group.name}`,
      sql: `SELECT ${name}, count(*) FROM ${table} GROUP BY ALL ORDER BY 2 DESC`,
    },
  ];
}

function isGroup({ type, distinct, missing }: Field, rows: number): boolean {
  return type === 'text' && distinct > 1 && distinct <= 30 && distinct * 2 < rows - missing;
}

function joining(catalogue: Catalogue, { id, table, labels }: Category): ShownQuery[] {
  const relation = catalogue.relations.find(
    ({ from, to, cardinality }) => from === id && to !== id && cardinality === 'one',
  );
  const target = catalogue.categories.find((one) => one.id === relation?.to);
  if (!relation || !target) return [];
  const own = plainName(labels[0] ?? relation.field);
  const theirs = plainName(target.labels[0] ?? relation.toField);
  const on = `a.${plainName(relation.field)} = b.${plainName(relation.toField)}`;
  return [
    {
      title: `With their ${relation.name}`,
      sql: `SELECT a.${own}, b.${theirs} FROM ${table} a JOIN ${target.table} b ON ${on}`,
    },
  ];
}

/** With quotes only where it needs some. */
function plainName(name: string): string {
  return /^[a-z_][a-z0-9_]*$/i.test(name) ? name : quoteName(name);
}
