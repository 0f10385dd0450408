import type { Durability } from '../../driver.ts';
import type { Connection } from './connection.ts';

const NOT_ONLY_DATABASE =
  'A transaction awaited something other than the database and was rolled back: everybody else would have waited for it too';

export function beginWriting(connection: Connection, durability: Durability): void {
  connection.setDurability(durability);
  connection.exec('begin immediate');
}

export function beginReading(connection: Connection): void {
  if (connection.isTransaction) connection.rollback();
  connection.exec('begin');
  try {
    connection.value('select count(*) from sqlite_schema'); // Only now is the moment fixed.
  } catch (error) {
    connection.rollback();
    throw error;
  }
}

/**
 * Database calls are synchronous underneath, so a body made of them ends within one turn. A body
 * that does not is given up, even if it never ends because it waits for itself.
 */
export function withoutWaiting<Result>(work: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const nextTurn = setImmediate(() => reject(new TypeError(NOT_ONLY_DATABASE)));
    const end = () => clearImmediate(nextTurn);
    work().then(resolve, reject).finally(end);
  });
}
