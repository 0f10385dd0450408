import { describe } from 'vitest';
import type { CreatePlace } from './place.ts';
import { testTransactions } from './transactions.ts';

/** What every store must do, whatever database is below it. */
export function testStore(name: string, createPlace: CreatePlace): void {
  describe(name, () => {
    describe('transactions', () => testTransactions(createPlace));
  });
}
