import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Driver,
  Transaction as KyselyTransaction,
  type QueryResult,
  SqliteAdapter,
  SqliteQueryCompiler,
} from 'kysely';
import type { AnyTables, Queries } from '../../driver.ts';
import type { Connection } from './connection.ts';

const compiler = new SqliteQueryCompiler();
const adapter = new SqliteAdapter();

function refuse(): never {
  throw new TypeError('Connections and transactions are up to the store');
}
const noDriver: Driver = {
  init: refuse,
  acquireConnection: refuse,
  releaseConnection: refuse,
  beginTransaction: refuse,
  commitTransaction: refuse,
  rollbackTransaction: refuse,
  destroy: refuse,
};
const dialect = {
  createAdapter: () => adapter,
  createQueryCompiler: () => compiler,
  createDriver: () => noDriver,
  createIntrospector: refuse,
};
const kyselyProps = { config: { dialect }, dialect, driver: noDriver };

/** What Kysely has for pools is left out: it costs as much as a small query. */
class Executor extends DefaultQueryExecutor {
  readonly #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection) {
    super(compiler, adapter, { provideConnection: (use) => use(connection) });
    this.#connection = connection;
  }

  override executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#connection.executeQuery(query);
  }
}

/** Queries within the transaction that a connection has begun, until it is ended. */
export class TransactionQueries implements Queries, DatabaseConnection {
  readonly executor = new Executor(this);
  readonly #connection: Connection;
  #db: AnyTables | undefined;
  #isEnded = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Made when it is needed: who uses only what was compiled before does without. */
  get db(): AnyTables {
    this.#db ??= new KyselyTransaction({ ...kyselyProps, executor: this.executor });
    return this.#db;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    // It would become part of another transaction.
    if (this.#isEnded) throw new TypeError('The transaction has ended already');
    return this.#connection.query(sql, parameters) as QueryResult<Row>;
  }

  streamQuery(): never {
    throw new TypeError('The store does not stream: read in pages');
  }

  end(): void {
    this.#isEnded = true;
  }
}
