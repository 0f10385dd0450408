import {
  addWork,
  type Claim,
  claimWork,
  completeWork,
  expireLeases,
  failWork,
  fingerprint,
  guardWork,
  LeaseWatch,
  type NewWork,
  once,
  type Store,
} from '@baton/store';
import { workOnQueue } from './dag-worker.ts';
import { createNote, makeControl, race } from './race.ts';
import { say } from './requests.ts';
import type { Stretches } from './stretches.ts';
import type { TestTables } from './tables.ts';

export interface OperationsOptions {
  readonly label: string;
  readonly silenceMs: number;
}

export type Operations = ReturnType<typeof createOperations>;

/** What a test can ask of a peer, each by its name in a line of JSON. */
export function createOperations(
  store: Store,
  { label, silenceMs }: OperationsOptions,
  stretches: Stretches,
) {
  const holding = store.createHolding({ label, silenceMs });
  const watch = new LeaseWatch(store.clock, store.processes);
  const control = new AbortController();
  let claimed: Claim | undefined;

  const current = () => {
    if (!claimed) throw new Error('Nothing was claimed');
    return claimed;
  };

  return {
    about: async () => ({ process: store.processes.self, ...(await store.health()) }),

    add: (items: readonly NewWork[]) => store.write('durable', (tx) => addWork(tx, items)),
    /** Claims the next one and beats for it until it is over. */
    async claim(queue: string) {
      claimed = await store.write('durable', (tx) => claimWork(tx, holding.holder, { queue }));
      if (!claimed) return undefined;
      const { lease, work } = claimed;
      holding.keep(lease).addEventListener('abort', () => say('lost', lease));
      return { lease, work };
    },
    /** Writes something on behalf of the claim. */
    report: (id: string) =>
      store.write('durable', async (tx) => {
        await guardWork(tx, current());
        await createNote(tx, { id, body: 'report', writer: label });
      }),
    async complete() {
      await store.write('durable', (tx) => completeWork(tx, current()));
      holding.drop(current().lease);
    },
    async fail(retryInMs: number) {
      await store.write('durable', (tx) => failWork(tx, current(), { detail: '', retryInMs }));
      holding.drop(current().lease);
    },
    /** Lives on, but beats no more. */
    fallSilent: async () => holding.end(),
    /** One look at the leases of everybody. */
    async expire() {
      const at = store.clock.monotonic();
      const names = (await expireLeases(store, watch)).map(({ name }) => name);
      return { names, at };
    },

    note: (id: string, body: string) =>
      store.write('durable', (tx) => createNote(tx, { id, body, writer: label })),
    notes: () =>
      store.read(({ db }) =>
        db.withTables<TestTables>().selectFrom('notes').selectAll().orderBy('id').execute(),
      ),
    async createOnce(key: string, end: 'answer' | 'die') {
      const asked = { scope: 'create', key, fingerprint: await fingerprint({ key }) };
      const id = await store.write('durable', (tx) =>
        once(tx, asked, async () => {
          const made = crypto.randomUUID();
          await createNote(tx, { id: made, body: key, writer: label });
          return made;
        }),
      );
      if (end === 'die') process.kill(process.pid, 'SIGKILL');
      return id;
    },
    /** Says how many notes there are, now and whenever it may have changed. */
    async watchNotes() {
      const look = async () => {
        const { count } = await store.read(({ db }) =>
          db
            .withTables<TestTables>()
            .selectFrom('notes')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .executeTakeFirstOrThrow(),
        );
        say('notes', { count });
      };
      await store.changes.subscribe({ topic: 'notes' }, () => void look());
      await look();
    },

    work: (queue: string) => workOnQueue(store, holding.holder, queue),
    async race(queue: string) {
      await race(store, holding.holder, queue);
      return { longestStretchMs: stretches.longestMs };
    },
    control: (file: string) => makeControl(file, control.signal),
    endControl: async () => control.abort(),
  };
}
