import { createRequire } from 'node:module';

type DuckDb = typeof import('@duckdb/node-api');

const PACKAGE = '@duckdb/node-api';

/** The engine's package, from the first of the places that has it; else why there is none. */
export function loadDuckDb(packagesOf: readonly string[]): DuckDb | { readonly missing: string } {
  const reasons: string[] = [];
  for (const from of packagesOf) {
    const require = createRequire(from);
    try {
      require.resolve(PACKAGE);
    } catch {
      continue;
    }
    try {
      return require(PACKAGE) as DuckDb;
    } catch (error) {
      // It is there without the part for this platform, or that part cannot be loaded here.
      reasons.push(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
    }
  }
  return { missing: reasons.join('; ') };
}
