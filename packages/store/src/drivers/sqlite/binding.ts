import { BatonError } from '@baton/core';

/** The part of `DatabaseSync` that we use; both libraries have it. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
  readonly isTransaction: boolean;
}

export interface Statement {
  all(...parameters: unknown[]): Record<string, unknown>[];
  get(...parameters: unknown[]): Record<string, unknown> | undefined;
  run(...parameters: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
}

export interface Binding {
  readonly name: BindingName;
  readonly version: string;
  open(file: string, options: { readonly readOnly: boolean }): Database;
  /** Resolves when the files of closed databases are closed too. */
  settle(): Promise<void>;
}

export type BindingName = 'node:sqlite' | '@photostructure/sqlite';

interface Library {
  readonly DatabaseSync: new (
    file: string,
    options?: { readonly readOnly?: boolean; readonly timeout?: number },
  ) => Database;
}

/** Before it, several processes on one file could corrupt it when the WAL started anew. */
const OLDEST_SAFE = [3, 51, 3];

let loading: Promise<Binding> | undefined;

/** One library per process: a second one on the same file would break its locks. */
export function loadBinding(wanted?: BindingName): Promise<Binding> {
  loading ??= load(wanted ?? (hasSafeSqlite() ? 'node:sqlite' : '@photostructure/sqlite'));
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

async function load(name: BindingName): Promise<Binding> {
  const library = await importLibrary(name);
  const { DatabaseSync } = library;
  const probe = new DatabaseSync(':memory:');
  const [row] = probe.prepare('select sqlite_version() as version').all();
  probe.close();
  const version = String(row?.version);
  if (!isSafe(version)) throw unavailable(`${name} has SQLite ${version}, which is too old`);
  return {
    name,
    version,
    // We wait ourselves: SQLite's own waiting would block the event loop.
    open: (file, { readOnly }) => new DatabaseSync(file, { readOnly, timeout: 0 }),
    settle: name === '@photostructure/sqlite' ? collectStatements : async () => {},
  };
}

/**
 * This library (1.2.1) has no way to end a statement: a closed database keeps its files, its locks
 * and what it believes about them until the collector has found all its statements.
 */
async function collectStatements(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  await new Promise((resolve) => setImmediate(resolve)); // What was found is ended after it.
}

async function importLibrary(name: BindingName): Promise<Library> {
  try {
    if (name === 'node:sqlite') return await importQuietly();
    // A constant, so that the bundler can see it.
    return (await import('@photostructure/sqlite')) as unknown as Library;
  } catch (cause) {
    throw unavailable(`${name} cannot be loaded`, cause);
  }
}

/** Node 22 warns on stderr that its SQLite is experimental, which clients show to people. */
async function importQuietly(): Promise<Library> {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    // @ts-expect-error: the types of Node 20 do not know it.
    return (await import('node:sqlite')) as Library;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function hasSafeSqlite(): boolean {
  return isSafe(process.versions.sqlite ?? '0.0.0');
}

function isSafe(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, oldest] of OLDEST_SAFE.entries()) {
    const part = parts[index] ?? 0;
    if (part !== oldest) return part > oldest;
  }
  return true;
}

function unavailable(what: string, cause?: unknown): BatonError {
  return new BatonError(
    'store_unavailable',
    `There is no usable SQLite: ${what}, on ${process.platform} ${process.arch} with Node.js ${process.version}.`,
    'Install Baton again, or use Node.js 22.23, 24.21 or newer, which brings its own.',
    { cause },
  );
}
