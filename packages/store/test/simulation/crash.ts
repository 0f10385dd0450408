import type { Transaction } from '@baton/store';
import type { KyselyPlugin } from 'kysely';

/** What a process dies of. */
export class Crash extends Error {}

/** The same work, which dies after its n-th statement, or at the end. */
export function crashing<Result>(
  work: (tx: Transaction) => Promise<Result>,
  afterStatements: number,
): (tx: Transaction) => Promise<Result> {
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
