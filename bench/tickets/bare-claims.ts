import { type BareDatabase, loadLibrary, openBare } from '../store/bare-database.ts';
import { type Claims, cpuTime, type Options, wallTime } from '../store/protocol.ts';

interface Claimed {
  readonly id: string;
  readonly seq: number;
  readonly workspace: string;
  readonly number: number;
  readonly version: number;
}

/** What a claim and a report write, with the fewest statements, prepared once. */
function createBareTickets(database: BareDatabase) {
  const next = database.prepare(
    `select * from tickets where state = 'ready' and kind = 'agent' and assignee is null
      and workspace = (select workspace from ticket_numbers) order by priority, seq limit 1`,
  );
  const find = database.prepare('select * from tickets where workspace = ? and number = ?');
  const claim = database.prepare(
    `update tickets set state = 'claimed', claim_number = claim_number + 1, claim_token = ?,
      claim_connection = ?, claim_label = 'bench', claim_ms = 7200000, claim_beat = ?,
      claimed_at = ?, version = version + 1, updated_at = ? where seq = ?`,
  );
  const end = database.prepare(
    `update tickets set state = 'done', resolution = ?, report_token = claim_token,
      report_outcome = 'done', claim_token = null, claim_connection = null, claim_label = '',
      claim_ms = 0, claim_beat = 0, claimed_at = null, version = version + 1, updated_at = ?,
      closed_at = ? where seq = ?`,
  );
  const record = database.prepare(
    `insert into ticket_history (ticket_id, version, what, "by", detail, at)
      values (?, ?, ?, 'bench', ?, ?)`,
  );
  const addEvent = database.prepare('insert into events (workspace, topic, at) values (?, ?, ?)');
  const connection = crypto.randomUUID();
  const tell = ({ id, workspace, version }: Claimed, what: string, detail: object, now: number) => {
    record.run(id, version + 1, what, JSON.stringify(detail), now);
    addEvent.run(workspace, `ticket/${id}`, now);
    addEvent.run(workspace, 'tickets', now);
  };
  return {
    claim(now: number): Claimed | undefined {
      const ticket = next.get() as Claimed | undefined;
      if (!ticket) return undefined;
      claim.run(`1.${crypto.randomUUID()}`, connection, Math.round(now), now, now, ticket.seq);
      tell(ticket, 'claimed', { claim: 1, by: 'bench', leaseSeconds: 7200 }, now);
      return ticket;
    },
    report({ workspace, number }: Claimed, now: number): void {
      const ticket = find.get(workspace, number) as unknown as Claimed;
      end.run(SUMMARY, now, now, ticket.seq);
      tell(ticket, 'reported', { claim: 1, outcome: 'done', summary: SUMMARY }, now);
    },
  };
}

export const SUMMARY = 'Done as it was asked for, with a test that failed before.';

/** Claims and reports until nothing is left, with the driver that the store uses, by hand. */
export async function claimTickets(options: Options): Promise<() => Promise<Claims>> {
  const database = openBare(await loadLibrary(options.library), options.file);
  database.exec('pragma synchronous = full');
  const tickets = createBareTickets(database);
  const within = <Result>(work: (now: number) => Result): Result => {
    database.exec('begin immediate');
    const result = work(Date.now());
    database.exec('commit');
    return result;
  };
  const one = () => {
    const ticket = within(tickets.claim);
    if (ticket) within((now) => tickets.report(ticket, now));
    return ticket !== undefined;
  };
  for (let count = 0; count < options.warmUp; count += 1) one();
  return async () => {
    const begun = wallTime();
    const cpuBefore = cpuTime();
    const claimMs: number[] = [];
    for (let asked = begun; one(); asked = wallTime()) claimMs.push(wallTime() - asked);
    const result = { begun, ended: wallTime(), cpuMs: cpuTime() - cpuBefore, claimMs };
    database.close();
    return result;
  };
}
