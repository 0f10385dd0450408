import type { Transaction } from '@baton/store';
import type { KyselyPlugin } from 'kysely';

/** What a process dies of. */
export class Crash extends Error {}

/** The same work, which dies at its n-th statement, or after its last one. */
export function crashing<Result>(
  work: (tx: Transaction) => Promise<Result>,
  atStatement: number,
): (tx: Transaction) => Promise<Result> {
  return async (tx) => {
    await work({ ...tx, db: tx.db.withPlugin(createCrash(atStatement)) });
    throw new Crash();
  };
}

function createCrash(atStatement: number): KyselyPlugin {
  let statements = 0;
  return {
    transformQuery({ node }) {
      statements += 1;
      if (statements === atStatement) throw new Crash();
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}
