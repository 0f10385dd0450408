import { plansSchema } from '@baton/plans';
import { openStore, type Processes, type Store } from '@baton/store';
import { createFakeIds, createMemoryLog, VirtualTime } from '@baton/testkit';
import { sql } from 'kysely';
import { createFakeTickets } from '../fake-tickets.ts';
import { MOVES } from './moves.ts';

const TABLES = [
  ...['plan_tickets', 'plan_attempts', 'plan_jobs', 'plans', 'work_needs', 'work_labels', 'work'],
  ...['leases', 'gates', 'attempts', 'events', 'idempotency', 'logs', 'moves', 'fake_tickets'],
];

/** One store for all seeds, because to open one takes longer than a seed. */
export class Machine {
  time = new VirtualTime();
  /** The processes that are known to be dead. */
  dead = new Set<string>();
  /** The process whose turn it is. */
  self = '';
  ids = createFakeIds();
  store!: Store;

  static async start(): Promise<Machine> {
    const machine = new Machine();
    const processes: Processes = {
      get self() {
        return machine.self;
      },
      isDead: (identity) => machine.dead.has(identity),
    };
    machine.store = await openStore({
      file: ':memory:',
      log: createMemoryLog(),
      clock: { now: () => machine.time.now(), monotonic: () => machine.time.awake },
      ids: { next: () => machine.ids.next() },
      processes,
      schemas: [plansSchema],
    });
    await createFakeTickets(machine.store);
    await machine.store.write('relaxed', async ({ db }) => {
      for (const statement of MOVES) await sql.raw(statement).execute(db);
    });
    return machine;
  }

  /** Nothing of one seed may reach the next, or it would not replay alone. */
  async reset(): Promise<void> {
    this.time = new VirtualTime();
    this.dead = new Set();
    this.ids = createFakeIds();
    await this.store.write('relaxed', async ({ db }) => {
      for (const table of TABLES) await sql.raw(`delete from ${table}`).execute(db);
      await sql.raw('delete from moves').execute(db);
      await sql`delete from sqlite_sequence`.execute(db);
    });
  }
}
