import type { KyselyPlugin } from 'kysely';

/** What a process dies of. */
export class Crash extends Error {}

/** As much of a transaction as is needed to see its statements. */
interface Crashable {
  readonly db: { withPlugin(plugin: KyselyPlugin): { getExecutor(): unknown } };
}

/** The same work, which dies after its n-th statement, or at the end. */
export function crashing<Tx extends Crashable, Result>(
  work: (tx: Tx) => Promise<Result>,
  afterStatements: number,
): (tx: Tx) => Promise<Result> {
  return async (tx) => {
    const db = tx.db.withPlugin(createCrash(afterStatements));
    await work({ ...tx, db, executor: db.getExecutor() });
    throw new Crash();
  };
}

function createCrash(afterStatements: number): KyselyPlugin {
  let statements = 0;
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      statements += 1;
      if (statements === afterStatements) throw new Crash();
      return result;
    },
  };
}
