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

/** Database calls are synchronous underneath, so a body made of them ends within one turn. */
export async function withoutWaiting<Result>(work: () => Promise<Result>): Promise<Result> {
  let isLate = false;
  const nextTurn = setImmediate(() => {
    isLate = true;
  });
  try {
    const result = await work();
    if (isLate) throw new TypeError(NOT_ONLY_DATABASE);
    return result;
  } finally {
    clearImmediate(nextTurn);
  }
}
