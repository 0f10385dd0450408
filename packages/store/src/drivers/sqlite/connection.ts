import { BatonError } from '@baton/core';
import type { QueryResult } from 'kysely';
import type { Durability } from '../../driver.ts';
import type { Binding, Database, Statement } from './binding.ts';

/** A feature writes a handful of statements; what is made up on the fly must not pile up. */
const MAX_STATEMENTS = 256;
const RETURNS_ROWS = /^\s*(select|with|pragma|values)\b|\breturning\b/i;

interface Prepared {
  readonly statement: Statement;
  readonly returnsRows: boolean;
}

/** One open database. Every call is synchronous; SQLite's errors come out as they are. */
export class Connection {
  readonly #database: Database;
  readonly #statements = new Map<string, Prepared>();
  #durability: Durability | undefined;

  constructor(binding: Binding, file: string, { readOnly }: { readonly readOnly: boolean }) {
    this.#database = binding.open(file, { readOnly });
    try {
      // Set here although they are defaults somewhere: the libraries were built differently.
      this.exec(
        'pragma busy_timeout = 0; pragma foreign_keys = on; pragma trusted_schema = off; pragma cell_size_check = on; pragma temp_store = memory',
      );
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get isTransaction(): boolean {
    return this.#database.isTransaction;
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  query(sql: string, parameters: readonly unknown[] = []): QueryResult<Record<string, unknown>> {
    for (const parameter of parameters) refuseNul(parameter);
    const { statement, returnsRows } = this.#prepare(sql);
    if (returnsRows) return { rows: statement.all(...parameters) };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  /** The value of a pragma or of the only column of the only row. */
  value(sql: string): unknown {
    const row = this.#prepare(sql).statement.get();
    return row && Object.values(row)[0];
  }

  /** FULL waits for the disk at each commit; NORMAL may lose the last ones in a power cut. */
  setDurability(wanted: Durability): void {
    if (wanted === this.#durability) return;
    this.exec(`pragma synchronous = ${wanted === 'durable' ? 'full' : 'normal'}`);
    this.#durability = wanted;
  }

  rollback(): void {
    // After some errors SQLite has rolled back already.
    if (this.#database.isTransaction) this.exec('rollback');
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    const prepared = { statement, returnsRows: RETURNS_ROWS.test(sql) };
    if (this.#statements.size >= MAX_STATEMENTS) {
      const [oldest] = this.#statements.keys();
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

/** One of the libraries would silently keep only what is before it; PostgreSQL refuses it too. */
function refuseNul(parameter: unknown): void {
  if (typeof parameter !== 'string' || !parameter.includes('\0')) return;
  throw new BatonError(
    'text_unusable',
    'A text holds a NUL character, which cannot be kept. Nothing was changed.',
    'Leave the character out.',
  );
}
