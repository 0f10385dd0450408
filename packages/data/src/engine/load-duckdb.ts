import { createRequire } from 'node:module';

type DuckDb = typeof import('@duckdb/node-api');

const PACKAGE = '@duckdb/node-api';

/** Whether the engine's package is there; whether it can be loaded is another thing. */
export function hasDuckDb(packagesOf: readonly string[]): boolean {
  return packagesOf.some((from) => isResolved(createRequire(from)));
}

function isResolved(require: NodeJS.Require): boolean {
  try {
    require.resolve(PACKAGE);
    return true;
  } catch {
    return false;
  }
}

/** The engine's package, from the first of the places that has it; else why there is none. */
export function loadDuckDb(packagesOf: readonly string[]): DuckDb | { readonly missing: string } {
  const reasons: string[] = [];
  for (const from of packagesOf) {
    const require = createRequire(from);
    if (!isResolved(require)) continue;
    try {
      return require(PACKAGE) as DuckDb;
    } catch (error) {
      // It is there without the part for this platform, or that part cannot be loaded here.
      reasons.push(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
    }
  }
  return { missing: reasons.join('; ') };
}
