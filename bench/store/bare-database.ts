export interface BareDatabase {
  exec(sql: string): void;
  prepare(sql: string): BareStatement;
  close(): void;
}

interface BareStatement {
  all(...parameters: unknown[]): Record<string, unknown>[];
  get(...parameters: unknown[]): Record<string, unknown> | undefined;
  run(...parameters: unknown[]): unknown;
}

export interface BareLibrary {
  readonly DatabaseSync: new (file: string) => BareDatabase;
}

/** The library that the store has chosen, too: `node:sqlite` or the one that stands in for it. */
export async function loadLibrary(name: string): Promise<BareLibrary> {
  // Constants, so that the bundler can see them.
  // @ts-expect-error: the types of Node 20 do not know it.
  if (name === 'node:sqlite') return (await import('node:sqlite')) as BareLibrary;
  return (await import('@photostructure/sqlite')) as unknown as BareLibrary;
}

/** The pragmas of the store, but with SQLite's own waiting, as people use it. */
export function openBare({ DatabaseSync }: BareLibrary, file: string): BareDatabase {
  const database = new DatabaseSync(file);
  database.exec(`
    pragma busy_timeout = 30000; pragma foreign_keys = on; pragma trusted_schema = off;
    pragma cell_size_check = on; pragma temp_store = memory;
    pragma journal_size_limit = 4194304`);
  return database;
}
