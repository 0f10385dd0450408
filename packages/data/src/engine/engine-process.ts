import type { DuckDBConnection, DuckDBInstance, DuckDBType } from '@duckdb/node-api';
import type { Cell } from '../model.ts';
import { cellOf } from './cells.ts';
import { type Bound, type EngineFailure, quoteText, type Result } from './engine.ts';
import { loadDuckDb } from './load-duckdb.ts';
import type { EngineSettings, FromEngine, ToEngine } from './messages.ts';
import { watchEngine } from './watch-engine.ts';

/** Of all cells of a result: it has to go through a pipe, and into somebody's memory. */
const MOST_CHARACTERS = 8 * 1024 * 1024;
/** What the system says when it cannot write. */
const NO_DISK =
  /^IO Error: .*(?:No space left on device|Disk quota exceeded|Read-only file system|Input\/output error)/s;

type DuckDb = typeof import('@duckdb/node-api');

/**
 * The process that runs the engine, told by its parent what to do. What happens inside of the
 * engine cannot always be stopped, and a hostile file may crash it: then only this process ends.
 */
export async function runEngineProcess(settings: EngineSettings): Promise<void> {
  const watch = watchEngine(settings.processMegabytes * 1024 * 1024);
  const send = (message: FromEngine) => process.send?.(message);
  const duckdb = loadDuckDb(settings.packagesOf);
  if ('missing' in duckdb) {
    send({ type: 'missing', message: duckdb.missing });
    return;
  }
  const instance = await open(duckdb, settings);
  const running = new Map<number, DuckDBConnection>();
  process.on('message', (message: ToEngine) => {
    if (message.type === 'interrupt') running.get(message.id)?.interrupt();
    else {
      watch.started();
      void answer(duckdb, instance, running, message).then((reply) => {
        running.delete(message.id);
        watch.ended();
        send(reply);
      });
    }
  });
  send({ type: 'ready' });
}

async function open(duckdb: DuckDb, settings: EngineSettings): Promise<DuckDBInstance> {
  const { folder, memoryMegabytes, threads } = settings;
  const instance = await duckdb.DuckDBInstance.create(':memory:', { threads: String(threads) });
  const connection = await instance.connect();
  const statements = [
    `SET memory_limit = '${memoryMegabytes}MB'`,
    // What does not fit into memory fails: no files that nobody knows of.
    `SET temp_directory = ''`,
    `SET autoinstall_known_extensions = false`,
    `SET autoload_known_extensions = false`,
    `SET allow_community_extensions = false`,
    `SET TimeZone = 'UTC'`,
    `SET allowed_directories = [${quoteText(folder)}]`,
    `SET enable_external_access = false`,
    `SET lock_configuration = true`,
  ];
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  return instance;
}

async function answer(
  duckdb: DuckDb,
  instance: DuckDBInstance,
  running: Map<number, DuckDBConnection>,
  { id, sql, values, rows }: Extract<ToEngine, { type: 'run' }>,
): Promise<FromEngine> {
  let connection: DuckDBConnection | undefined;
  try {
    connection = await instance.connect();
    running.set(id, connection);
    return { type: 'result', id, result: await read(duckdb, connection, sql, values, rows) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { type: 'error', id, failure: failureOf(message), message };
  } finally {
    connection?.closeSync();
  }
}

async function read(
  duckdb: DuckDb,
  connection: DuckDBConnection,
  sql: string,
  values: readonly Bound[],
  most: number,
): Promise<Result> {
  const bound = values.map((value) =>
    Number.isSafeInteger(value) ? BigInt(value as number) : value,
  );
  const result = await connection.stream(
    sql,
    bound,
    bound.map((value) => typeOf(duckdb, value)),
  );
  const types = result.columnTypes();
  const columns = result.columnNames().map((name, at) => ({ name, type: String(types[at]) }));
  const rows: Result['rows'][number][] = [];
  let characters = 0;
  for await (const chunk of result) {
    for (const row of chunk.getRows()) {
      if (rows.length === most) return { columns, rows, isCut: true };
      const cells = row.map((value, at) => cellOf(value, types[at] as DuckDBType));
      for (const cell of cells) characters += sizeOf(cell);
      if (characters > MOST_CHARACTERS) return { columns, rows, isCut: true };
      rows.push(cells);
    }
  }
  return { columns, rows, isCut: false };
}

function sizeOf(cell: Cell): number {
  if (typeof cell === 'string') return cell.length;
  return typeof cell === 'object' ? JSON.stringify(cell).length : 8;
}

function typeOf(duckdb: DuckDb, value: bigint | Bound): DuckDBType {
  switch (typeof value) {
    case 'bigint':
      return duckdb.BIGINT;
    case 'number':
      return duckdb.DOUBLE;
    case 'boolean':
      return duckdb.BOOLEAN;
    case 'string':
      return duckdb.VARCHAR;
    default:
      return duckdb.SQLNULL;
  }
}

function failureOf(message: string): EngineFailure {
  if (message.startsWith('INTERRUPT')) return 'cancelled';
  if (NO_DISK.test(message)) return 'disk';
  return message.startsWith('Out of Memory') ? 'memory' : 'statement';
}
