import type { Compilable, CompiledQuery, DialectAdapter, Kysely, RawBuilder } from 'kysely';
import type { StoreTables } from './tables.ts';
import type { Reading } from './transaction.ts';

export type Tables = Kysely<StoreTables>;

/** Stands for a value that is known only when the query is run. */
class Given {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const everyName = new Proxy({}, { get: (_, name) => new Given(String(name)) });

/**
 * A query that is built and compiled once, which costs more than to run it. `build` can only
 * hand on what it is given: these are not the values yet.
 */
export function defineQuery<Values extends object, Row>(
  build: (db: Tables, given: Values) => Compilable<Row> | RawBuilder<Row>,
): (on: Reading, values: Values) => Promise<Row[]> {
  // By its adapter one kind of database can be told from another.
  const compiled = new WeakMap<DialectAdapter, CompiledQuery<Row>>();
  return async (on, values) => {
    const { adapter } = on.executor;
    let query = compiled.get(adapter);
    if (!query) {
      query = build(on.db, everyName as Values).compile(on.db);
      compiled.set(adapter, query);
    }
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Given ? values[parameter.name as keyof Values] : parameter,
    );
    const { rows } = await on.executor.executeQuery<Row>({ ...query, parameters });
    return rows;
  };
}
