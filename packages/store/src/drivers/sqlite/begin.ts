import type { Durability } from '../../driver.ts';
import type { Connection } from './connection.ts';

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
