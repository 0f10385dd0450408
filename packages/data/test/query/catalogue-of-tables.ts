import path from 'node:path';
import { quoteName, quoteText } from '../engine-under-test.ts';
import type {
  Catalogue,
  Category,
  Engine,
  Field,
  FieldType,
  Relation,
} from '../query-under-test.ts';
import { createTestEngine } from '../test-engine.ts';

export interface TableForTest extends Partial<Category> {
  readonly table: string;
  /** A SELECT that makes its records. */
  readonly sql: string;
}

/** A catalogue of Parquet files, and an engine that has their views even after it had to restart. */
export async function catalogueOfTables(
  tables: readonly TableForTest[],
  relations: readonly Relation[] = [],
) {
  const made = createTestEngine();
  const { engine: child, folder } = made;
  const views: string[] = [];
  for (const { table, sql } of tables) {
    const file = quoteText(path.join(folder, `${table}.parquet`));
    await child.run(`COPY (${sql}) TO ${file} (FORMAT parquet)`);
    views.push(`CREATE OR REPLACE VIEW ${quoteName(table)} AS FROM read_parquet(${file})`);
  }
  const key = String(Math.random());
  const engine: Engine = {
    run: (sql, options) => child.run(sql, options, { key, sql: views.join(';') || 'SELECT 1' }),
  };
  const categories = await Promise.all(tables.map((table) => categoryOf(engine, table)));
  const catalogue: Catalogue = {
    version: 'v1',
    categories: categories.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    relations,
    problems: [],
  };
  return { catalogue, engine, [Symbol.asyncDispose]: () => made[Symbol.asyncDispose]() };
}

async function categoryOf(engine: Engine, given: TableForTest): Promise<Category> {
  const { table, sql: _, ...declared } = given;
  const described = await engine.run(`DESCRIBE ${quoteName(table)}`);
  const fields: Field[] = [];
  for (const [name, sqlType] of described.rows) {
    fields.push(await fieldOf(engine, table, String(name), String(sqlType)));
  }
  const counted = await engine.run(`SELECT count(*) FROM ${quoteName(table)}`);
  return {
    id: table,
    table,
    name: table,
    description: '',
    aliases: [],
    routing: [],
    key: fields.some(({ name }) => name === 'id') ? ['id'] : [],
    labels: fields.some(({ name }) => name === 'name') ? ['name'] : [],
    fields,
    rows: Number(counted.rows[0]?.[0]),
    version: 'v1',
    from: `${table}.csv`,
    queries: [],
    examples: [],
    inferred: [],
    ...declared,
  };
}

async function fieldOf(
  engine: Engine,
  table: string,
  name: string,
  sqlType: string,
): Promise<Field> {
  const column = quoteName(name);
  const facts = await engine.run(
    `SELECT count(*) - count(${column}), count(DISTINCT ${column}), count(${column}) FROM ${quoteName(table)}`,
  );
  const [missing = 0, distinct = 0, count = 0] = (facts.rows[0] ?? []).map(Number);
  const top = await engine.run(
    `SELECT ${column}::VARCHAR, count(*) FROM ${quoteName(table)} WHERE ${column} IS NOT NULL
     GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10`,
  );
  const type = typeOf(sqlType);
  const ends =
    type === 'list' || type === 'json'
      ? undefined
      : await engine.run(`SELECT min(${column}), max(${column}) FROM ${quoteName(table)}`);
  const [min, max] = ends?.rows[0] ?? [];
  return {
    name,
    type,
    sqlType,
    aliases: [],
    missing,
    distinct,
    ...(distinct === count && count > 0 && { isUnique: true as const }),
    ...(min !== undefined && min !== null && { min }),
    ...(max !== undefined && max !== null && { max }),
    top: top.rows.map(([value, times]) => ({ value: String(value), count: Number(times) })),
    notes: [],
  };
}

function typeOf(sqlType: string): FieldType {
  if (sqlType.endsWith('[]')) return 'list';
  if (sqlType.startsWith('DECIMAL') || sqlType === 'DOUBLE') return 'number';
  const types: Record<string, FieldType> = {
    BIGINT: 'integer',
    INTEGER: 'integer',
    BOOLEAN: 'boolean',
    DATE: 'date',
    TIMESTAMP: 'timestamp',
    JSON: 'json',
    BLOB: 'binary',
  };
  return types[sqlType] ?? 'text';
}
