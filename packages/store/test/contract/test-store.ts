import { describe } from 'vitest';
import { testChanges } from './changes.ts';
import { testEvents } from './events.ts';
import { testExpiry } from './expiry.ts';
import { testGates } from './gates.ts';
import { testGroups } from './groups.ts';
import { testIdempotency } from './idempotency.ts';
import { testLeases } from './leases.ts';
import { testLogs } from './logs.ts';
import { testMigrations } from './migrations.ts';
import { testNeeds } from './needs.ts';
import { testParking } from './parking.ts';
import type { CreatePlace } from './place.ts';
import { testQueue } from './queue.ts';
import { testRetention } from './retention.ts';
import { testTransactions } from './transactions.ts';

/** What every store must do, whatever database is below it. */
export function testStore(name: string, createPlace: CreatePlace): void {
  describe(name, () => {
    describe('transactions', () => testTransactions(createPlace));
    describe('leases', () => testLeases(createPlace));
    describe('expiry', () => testExpiry(createPlace));
    describe('queue', () => testQueue(createPlace));
    describe('parking', () => testParking(createPlace));
    describe('needs', () => testNeeds(createPlace));
    describe('gates', () => testGates(createPlace));
    describe('groups', () => testGroups(createPlace));
    describe('idempotency', () => testIdempotency(createPlace));
    describe('events', () => testEvents(createPlace));
    describe('changes', () => testChanges(createPlace));
    describe('logs', () => testLogs(createPlace));
    describe('retention', () => testRetention(createPlace));
    describe('migrations', () => testMigrations(createPlace));
  });
}
