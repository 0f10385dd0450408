import {
  type DatabaseConnection,
  type Dialect,
  Kysely,
  SqliteAdapter,
  SqliteQueryCompiler,
} from 'kysely';
import type { Connection } from './connection.ts';

/** Kysely over a connection whose transactions are begun and ended by the driver. */
export function createQueries<Tables>(connection: () => Connection): Kysely<Tables> {
  const queries: DatabaseConnection = {
    async executeQuery({ sql, parameters }) {
      const { rows, changes, lastId } = connection().query(sql, parameters);
      return {
        rows: rows as never[],
        ...(changes !== undefined && { numAffectedRows: changes }),
        ...(lastId !== undefined && { insertId: lastId }),
      };
    },
    streamQuery() {
      throw new TypeError('The store does not stream: read in pages');
    },
  };
  const nothing = async () => {};
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector() {
      throw new TypeError('The store knows its tables');
    },
    createDriver: () => ({
      init: nothing,
      acquireConnection: async () => queries,
      releaseConnection: nothing,
      beginTransaction: nothing,
      commitTransaction: nothing,
      rollbackTransaction: nothing,
      destroy: nothing,
    }),
  };
  return new Kysely<Tables>({ dialect });
}
