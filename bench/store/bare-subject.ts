import type { Durability } from '@baton/store';
import { type BareDatabase, loadLibrary, openBare } from './bare-database.ts';
import { NOTE, QUEUE, type Subject, TOPIC, WORKSPACE } from './subject.ts';

interface BareJob {
  readonly id: string;
  readonly workspace: string;
  readonly queue: string;
  readonly attempts: number;
  readonly lease: string;
  readonly leaseNumber: number;
}

const SILENCE_MS = 30_000;
/** As long as the store's own. */
const PROCESS = JSON.stringify({
  host: 'somewhere pid:[4026531836]',
  boot: crypto.randomUUID(),
  pid: process.pid,
  started: '2028306',
});

/** The statements of the store, prepared once, and nothing around them. */
export async function createBareSubject(file: string, library: string): Promise<Subject> {
  const database = openBare(await loadLibrary(library), file);
  const statements = prepareAll(database);
  const owner = crypto.randomUUID();
  let synchronous: Durability | undefined;
  const transaction = <Result>(durability: Durability, work: (now: number) => Result): Result => {
    if (durability !== synchronous) {
      database.exec(`pragma synchronous = ${durability === 'durable' ? 'full' : 'normal'}`);
      synchronous = durability;
    }
    database.exec('begin immediate');
    try {
      const result = work(Date.now());
      database.exec('commit');
      return result;
    } catch (error) {
      database.exec('rollback');
      throw error;
    }
  };
  return {
    insert: (durability) =>
      transaction(durability, (now) => {
        statements.insertNote.run(owner, NOTE, now);
        statements.addEvent.run(WORKSPACE, TOPIC, now);
      }),
    claim: (durability) =>
      transaction(durability, (now): BareJob | undefined => {
        statements.gates.all('', QUEUE);
        const [work] = statements.next.all(QUEUE, 'ready', now, now, 1);
        if (!work) return undefined;
        const { id, workspace, queue } = work as unknown as BareJob;
        const lease = `work/${id}`;
        const held = [owner, PROCESS, 'bench', 'notes:1 store:1', 0, SILENCE_MS, now];
        const [claimed] = statements.claimLease.all(lease, 1, ...held, ...held, 1);
        const attempts = Number(work['attempts']) + 1;
        statements.change.run('running', attempts, null, null, now, id);
        statements.recordAttempt.run(id, attempts, 'started', 'bench', '', now);
        statements.addEvent.run(workspace, `queue/${queue}`, now);
        const leaseNumber = Number(claimed?.['number']);
        return { id, workspace, queue, attempts, lease, leaseNumber };
      }),
    complete: (durability, job) =>
      transaction(durability, (now) => {
        const { id, workspace, queue, attempts, lease, leaseNumber } = job as BareJob;
        const [released] = statements.releaseLease.all(null, null, lease, owner, leaseNumber);
        if (!released) throw new Error(`the lease of ${id} is lost`);
        statements.change.run('succeeded', null, null, null, now, id);
        statements.recordAttempt.run(id, attempts, 'succeeded', '', '', now);
        statements.advance.all(now, id);
        statements.addEvent.run(workspace, `queue/${queue}`, now);
      }),
    close: () => database.close(),
  };
}

function prepareAll(database: BareDatabase) {
  return {
    insertNote: database.prepare('insert into "notes" ("author", "text", "at") values (?, ?, ?)'),
    addEvent: database.prepare(
      'insert into "events" ("workspace", "topic", "at") values (?, ?, ?)',
    ),
    gates: database.prepare('select * from "gates" where "queue" in (?, ?)'),
    next: database.prepare(
      'select * from "work" where "queue" = ? and "state" = ? and (delayed_at + delay_ms <= ? or delayed_at > ?) order by "priority" desc, "seq" limit ?',
    ),
    claimLease: database.prepare(
      'insert into "leases" ("name", "number", "owner", "process", "label", "schemas", "beats", "silence_ms", "since") values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict ("name") do update set "owner" = ?, "process" = ?, "label" = ?, "schemas" = ?, "beats" = ?, "silence_ms" = ?, "since" = ?, "number" = "leases"."number" + ? where "leases"."owner" is null returning "number"',
    ),
    change: database.prepare(
      'update "work" set "state" = ?, "attempts" = coalesce(?, attempts), "delayed_at" = coalesce(?, delayed_at), "delay_ms" = coalesce(?, delay_ms), "at" = ? where "id" = ?',
    ),
    recordAttempt: database.prepare(
      'insert into "attempts" ("work_id", "number", "what", "label", "detail", "at") values (?, ?, ?, ?, ?, ?)',
    ),
    releaseLease: database.prepare(
      'update "leases" set "owner" = ?, "process" = ? where "name" = ? and "owner" = ? and "number" = ? returning "name"',
    ),
    advance: database.prepare(
      `update "work" set "open_needs" = open_needs - 1, "state" = case when state = 'waiting' and open_needs = 1 then 'ready' else state end, "at" = ? where "id" in (select "work_id" from "work_needs" where "needs_id" = ?) returning "workspace", "queue"`,
    ),
  };
}
