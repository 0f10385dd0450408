import type { Connection } from './connection.ts';
import { isBusy, isReadOnly, isSqliteError, storeCorrupt } from './failure.ts';

/** Several processes can share it only with a WAL. Tells whether it can be written. */
export function makeWal(connection: Connection): boolean {
  // At most this much is left of a WAL that a burst has made long.
  connection.exec('pragma journal_size_limit = 4194304');
  if (connection.value('pragma journal_mode') !== 'wal') {
    try {
      connection.exec('pragma journal_mode = wal');
    } catch (error) {
      if (isReadOnly(error)) return false;
      throw error;
    }
  }
  return canWrite(connection);
}

/** Afterwards the WAL and its index are there, in any case. */
function canWrite(connection: Connection): boolean {
  try {
    connection.exec('begin immediate');
    connection.rollback();
    // It can begin on a read-only file, too; only what touches the log tells.
    connection.query('pragma wal_checkpoint(noop)');
    return true;
  } catch (error) {
    if (isReadOnly(error)) return false;
    if (isBusy(error)) return true;
    throw error;
  } finally {
    connection.rollback();
  }
}

/** So that the file alone holds everything while nobody uses it. Others may use it: then later. */
export function emptyWal(connection: Connection): void {
  try {
    connection.query('pragma wal_checkpoint(truncate)');
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    // Whoever opens it next finds it all in the WAL.
  }
}

export function isNew(connection: Connection, file: string): boolean {
  if (connection.value('select count(*) from sqlite_schema') !== 0) return false;
  // A new file has its first page only.
  if (connection.value('pragma page_count') === 1) return true;
  throw storeCorrupt(file, 'its tables are not there');
}
