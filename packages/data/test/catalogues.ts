import { type Engine, quoteName, quoteText } from './engine-under-test.ts';
import type { Catalogue, Category, Cell, Field, FieldType, Relation } from './search-under-test.ts';

/** A table of a test: its fields with their types in SQL, and its rows. */
export interface TableOfTest extends Partial<Category> {
  readonly id: string;
  readonly columns: { readonly [name: string]: string };
  readonly cells: readonly (readonly Cell[])[];
  /** What fields have beside their names and types. */
  readonly about?: { readonly [name: string]: Partial<Field> };
}

export type RelationOfTest = Pick<Relation, 'name' | 'from' | 'field' | 'to'> & Partial<Relation>;

/** Makes the tables in an engine, and the catalogue that describes them. */
export async function createCatalogue(
  engine: Engine,
  tables: readonly TableOfTest[],
  relations: readonly RelationOfTest[] = [],
): Promise<Catalogue> {
  for (const table of tables) await engine.run(tableSql(table));
  return describeCatalogue(tables, relations);
}

/** The catalogue alone. */
export function describeCatalogue(
  tables: readonly TableOfTest[],
  relations: readonly RelationOfTest[] = [],
): Catalogue {
  return {
    version: 'v1',
    categories: tables.map(categoryOf).sort((a, b) => (a.id < b.id ? -1 : 1)),
    relations: relations.map((relation) => ({
      toField: 'id',
      cardinality: 'one',
      found: 0,
      dangling: 0,
      ...relation,
    })),
    problems: [],
  };
}

/** The statement that makes a table of a test, in place of one that is there. */
export function tableSql({ id, table = id, columns, cells }: TableOfTest): string {
  const types = Object.values(columns);
  const names = Object.keys(columns).map(quoteName).join(', ');
  const row = (values: readonly (Cell | undefined)[]) =>
    `(${types.map((type, index) => literal(values[index] ?? null, type)).join(', ')})`;
  // Without rows there are no types to see.
  const rows = (cells.length > 0 ? cells : [[]]).map(row).join(', ');
  const where = cells.length > 0 ? '' : ' WHERE FALSE';
  return `CREATE OR REPLACE TABLE ${quoteName(table)} AS SELECT * FROM (VALUES ${rows}) AS t(${names})${where}`;
}

function literal(cell: Cell, type: string): string {
  if (cell === null) return `CAST(NULL AS ${type})`;
  if (type === 'JSON') return `CAST(${quoteText(JSON.stringify(cell))} AS JSON)`;
  if (Array.isArray(cell)) {
    const item = type.replace(/\[\]$/, '');
    return `CAST([${cell.map((one) => literal(one, item)).join(', ')}] AS ${type})`;
  }
  return `CAST(${quoteText(String(cell))} AS ${type})`;
}

function categoryOf({ columns, cells, about = {}, ...category }: TableOfTest): Category {
  return {
    table: category.id,
    name: category.id,
    description: '',
    aliases: [],
    routing: [],
    key: 'id' in columns ? ['id'] : [],
    labels: 'name' in columns ? ['name'] : [],
    rows: cells.length,
    version: 'v1',
    from: `${category.id}.json`,
    queries: [],
    examples: [],
    inferred: [],
    fields: Object.entries(columns).map(([name, sqlType]) => ({
      name,
      type: typeOf(sqlType),
      sqlType,
      aliases: [],
      missing: 0,
      distinct: 0,
      top: [],
      notes: [],
      ...about[name],
    })),
    ...category,
  };
}

const TYPES: { readonly [sqlType: string]: FieldType } = {
  VARCHAR: 'text',
  BIGINT: 'integer',
  DOUBLE: 'number',
  BOOLEAN: 'boolean',
  DATE: 'date',
  TIMESTAMP: 'timestamp',
  JSON: 'json',
  BLOB: 'binary',
};

function typeOf(sqlType: string): FieldType {
  if (sqlType.endsWith('[]')) return 'list';
  return sqlType.startsWith('DECIMAL') ? 'number' : (TYPES[sqlType] ?? 'text');
}
