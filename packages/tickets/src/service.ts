import type { Asking, Caller } from '@baton/core';
import { fingerprint, once } from '@baton/store';
import type { Act } from './act.ts';
import { actOn, conclude } from './acting.ts';
import { changeView, outcomeOf, whyNothing } from './answers.ts';
import {
  claimNext,
  expireClaims,
  expiredClaims,
  firstReady,
  heldBy,
  isFull,
  nextExpiryIn,
  type Wanted,
} from './claiming.ts';
import { createTicket, type NewTicket } from './creating.ts';
import { refOf } from './definition.ts';
import { exportInto, type TicketFolder } from './exchange/export-into.ts';
import { documentOf } from './exchange/exporting.ts';
import { type ImportOptions, importTickets } from './exchange/importing.ts';
import type { FileToRead } from './exchange/ticket-files.ts';
import { findTickets, type TicketQuery } from './finding.ts';
import { inboxOf } from './inbox.ts';
import type { TicketPorts } from './ports.ts';
import { removeTicket } from './removing.ts';
import { type Report, reportTicket } from './reporting.ts';
import { isMoving } from './states.ts';
import {
  findTicket,
  inState,
  TICKETS_TOPIC,
  type Ticket,
  tables,
  ticketTopic,
} from './ticket-repository.ts';
import { type TicketUpdate, updateTicket } from './updating.ts';
import { assertVersion } from './versions.ts';
import { briefs, full, historyView } from './views/ticket-view.ts';
import { lookUntil, type Waiting } from './waiting.ts';

export interface NextQuery extends Wanted {
  readonly leaseSeconds?: number | undefined;
  readonly peek?: boolean | undefined;
  readonly waitSeconds?: number | undefined;
}

/** Everything that is done with tickets, for tools and the command line alike. */
export class TicketService {
  readonly ports: TicketPorts;

  constructor(ports: TicketPorts) {
    this.ports = ports;
  }

  /** Who acts, for people. */
  nameOf(caller: Caller, agent?: string): string {
    return agent ?? caller.name ?? 'somebody';
  }

  async create(
    given: NewTicket & { readonly key?: string | undefined },
    by: string,
  ): Promise<Ticket> {
    const { workspace } = this.ports;
    const { key, ...asked } = given;
    const print = key === undefined ? '' : await fingerprint(asked);
    return this.act(by, async (act) => {
      const make = async () => (await createTicket(act, workspace, asked)).id;
      const scope = `ticket_create ${workspace}`;
      const id =
        key === undefined
          ? await make()
          : await once(act.tx, { scope, key, fingerprint: print }, make);
      return findTicket(act.tx, workspace, id);
    });
  }

  /** The next ticket, claimed unless somebody only wants to look. */
  async next(query: NextQuery, caller: Caller, call: Waiting): Promise<Ticket | undefined> {
    const { store, workspace } = this.ports;
    const { waitSeconds = 0, agent } = query;
    const take = () => (query.peek ? this.#peek(query) : this.#claim(query, caller));
    // Whoever waits looks often: that must not cost a write each time.
    const look = async () => {
      const found = (await this.#isWorthwhile(query)) ? await take() : undefined;
      return this.#untilExpiry(found, found !== undefined);
    };
    await this.conclude();
    const found = await take();
    if (found) return found;
    await this.#runChecks(await store.read((tx) => inState(tx, workspace, 'verifying').execute()));
    if (waitSeconds === 0) return undefined;
    call.progress({ progress: 0, message: `nothing is ready for ${agent ?? 'you'} yet` });
    // Whoever is gone must not be given a ticket.
    const isGone = () => call.signal.aborted || call.draining.aborted;
    const lookUnlessGone = async () => (isGone() ? { found, isEnough: true } : look());
    const interest = { workspace, topic: TICKETS_TOPIC };
    return lookUntil(store, interest, waitSeconds, call, lookUnlessGone);
  }

  #peek(query: NextQuery): Promise<Ticket | undefined> {
    const { store, workspace } = this.ports;
    return store.read(async (tx) => {
      const held = query.agent ? await heldBy(tx, workspace, query.agent) : undefined;
      return held ?? firstReady(tx, workspace, query);
    });
  }

  /** Whether there is anything to claim. */
  #isWorthwhile(query: NextQuery): Promise<boolean> {
    const { store, workspace, awake, maxClaims } = this.ports;
    return store.read(async (tx) => {
      if (query.agent && (await heldBy(tx, workspace, query.agent))) return true;
      if ((await expiredClaims(tx, workspace, awake())).length > 0) return true;
      if (await isFull(tx, workspace, maxClaims)) return false;
      return (await firstReady(tx, workspace, query)) !== undefined;
    });
  }

  #claim(query: NextQuery, caller: Caller): Promise<Ticket | undefined> {
    const { workspace, maxClaims } = this.ports;
    const claimant = { ...query, maxClaims, connection: caller.connection };
    return this.act(this.nameOf(caller, query.agent), (act) =>
      claimNext(act, workspace, query, claimant),
    );
  }

  /** What became of a claimed ticket. Waits a while for the outcome of its checks. */
  async report(
    reference: string,
    report: Report & { readonly waitSeconds?: number | undefined },
    by: string,
    call: Waiting,
  ): Promise<Ticket> {
    const { workspace, checks, workers } = this.ports;
    await this.conclude();
    const reported = await this.act(by, async (act) =>
      reportTicket(act, await findTicket(act.tx, workspace, reference), report, checks),
    );
    if (reported.state !== 'verifying') return reported;
    await workers.ensure();
    return this.#settled(reported, report.waitSeconds ?? 0, call);
  }

  /** Waits until the checks of a ticket are over. */
  #settled(ticket: Ticket, waitSeconds: number, call: Waiting): Promise<Ticket> {
    const { store, workspace } = this.ports;
    call.progress({ progress: 0, message: 'its checks run' });
    const look = async () => {
      await this.conclude();
      const found = await store.read((tx) => findTicket(tx, workspace, ticket.id));
      return { found, isEnough: found.state !== 'verifying' };
    };
    // Plans tell of the end of checks before tickets do.
    return lookUntil(store, { workspace }, waitSeconds, call, look);
  }

  update(reference: string, update: TicketUpdate, by: string): Promise<Ticket> {
    const { workspace, checks } = this.ports;
    return this.act(by, async (act) =>
      updateTicket(act, await findTicket(act.tx, workspace, reference), update, checks),
    );
  }

  remove(reference: string, version: number, by: string): Promise<Ticket> {
    const { workspace, checks } = this.ports;
    return this.act(by, async (act) => {
      const ticket = await findTicket(act.tx, workspace, reference);
      await assertVersion(act.tx, ticket, version);
      await removeTicket(act, ticket, checks);
      return ticket;
    });
  }

  find(reference: string): Promise<Ticket> {
    const { store, workspace } = this.ports;
    return store.read((tx) => findTicket(tx, workspace, reference));
  }

  /** One ticket, perhaps after waiting until it rests. */
  async look(
    reference: string,
    {
      waitSeconds = 0,
      version,
    }: { waitSeconds?: number | undefined; version?: number | undefined },
    call: Waiting,
  ): Promise<Ticket> {
    const { store, workspace } = this.ports;
    const look = async () => {
      await this.tidy();
      const found = await store.read((tx) => findTicket(tx, workspace, reference));
      const isNews = version === undefined ? !isMoving(found.state) : found.version > version;
      return this.#untilExpiry(found, isNews);
    };
    const { found, isEnough } = await look();
    await this.#runChecks([found]);
    if (isEnough || waitSeconds === 0) return found;
    return lookUntil(store, { workspace }, waitSeconds, call, look);
  }

  async list(query: TicketQuery & { waitSeconds?: number | undefined }, call: Waiting) {
    const { store, workspace } = this.ports;
    const look = async () => {
      await this.tidy();
      const found = await store.read(async (tx) => {
        const { tickets, cursor } = await findTickets(tx, workspace, query);
        return { tickets: await briefs(tx, tickets), ...(cursor && { cursor }) };
      });
      return this.#untilExpiry(found, found.tickets.length > 0);
    };
    const { found, isEnough } = await look();
    await this.#runChecks(found.tickets);
    if (isEnough || !query.waitSeconds) return found;
    return lookUntil(store, { workspace, topic: TICKETS_TOPIC }, query.waitSeconds, call, look);
  }

  /** Whoever ran the checks may be gone: they go on as soon as somebody looks. */
  async #runChecks(tickets: readonly Pick<Ticket, 'state'>[]): Promise<void> {
    if (tickets.some(({ state }) => state === 'verifying')) await this.ports.workers.ensure();
  }

  /** The end of a lease is news that nobody tells of: whoever waits looks again then. */
  async #untilExpiry<Found>(found: Found, isEnough: boolean) {
    const { store, workspace, awake } = this.ports;
    if (isEnough) return { found, isEnough };
    const againInMs = await store.read((tx) => nextExpiryIn(tx, workspace, awake()));
    return { found, isEnough, againInMs };
  }

  /** What waits for a person. Of other workspaces only people are told, never their agents. */
  async inbox(where: 'here' | 'everywhere', limit: number) {
    const { store, workspace } = this.ports;
    await this.tidy();
    return store.read(async (tx) => {
      const items = await inboxOf(tx, where === 'here' ? workspace : undefined, limit);
      const tickets = items.map(({ ticket }) => ticket);
      const shown = await briefs(tx, tickets);
      return items.map(({ ticket, why, since }, index) => ({
        ...(shown[index] as (typeof shown)[number]),
        why,
        since: new Date(since).toISOString(),
        ...(where === 'everywhere' && { workspace: ticket.workspace }),
      }));
    });
  }

  show(ticket: Ticket) {
    return this.ports.store.read((tx) => full(tx, ticket, this.ports.awake()));
  }

  /** All of it, as it would stand in a file. */
  document(ticket: Ticket) {
    return this.ports.store.read((tx) => documentOf(tx, ticket));
  }

  export(state: NonNullable<TicketQuery['state']>, folder: TicketFolder, force: boolean) {
    return exportInto(this.ports, state, folder, force);
  }

  import(files: readonly FileToRead[], options: ImportOptions, caller: Caller, asking: Asking) {
    return importTickets(this.ports, files, options, this.nameOf(caller), asking);
  }

  history(ticket: Ticket) {
    return this.ports.store.read((tx) => historyView(tx, ticket));
  }

  whyNothing(): Promise<string> {
    return whyNothing(this.ports);
  }

  describeOutcome(ticket: Ticket) {
    return outcomeOf(this.ports, ticket);
  }

  describeChange(ticket: Ticket) {
    return changeView(this.ports, ticket);
  }

  /** Calls back whenever a ticket has changed, until it is ended. */
  async watch(reference: string, changed: () => void): Promise<() => void> {
    const { store, workspace } = this.ports;
    const { id } = await store.read((tx) => findTicket(tx, workspace, reference));
    return store.changes.subscribe({ workspace, topic: ticketTopic(id) }, changed);
  }

  async refsBeginningWith(typed: string): Promise<string[]> {
    const { store, workspace } = this.ports;
    const rows = await store.read((tx) =>
      tables(tx)
        .selectFrom('tickets')
        .select('number')
        .where('workspace', '=', workspace)
        .orderBy('number', 'desc')
        .limit(1000)
        .execute(),
    );
    return rows.map(refOf).filter((ref) => ref.startsWith(typed.toUpperCase()));
  }

  /** Gives back what has run out, and draws the conclusions from checks. */
  async tidy(): Promise<void> {
    const { store, workspace, awake } = this.ports;
    await this.conclude();
    const expired = await store.read((tx) => expiredClaims(tx, workspace, awake()));
    if (expired.length > 0) await this.act('baton', (act) => expireClaims(act, workspace));
  }

  conclude(): Promise<void> {
    return conclude(this.ports, this.ports.workspace);
  }

  act<Result>(by: string, work: (act: Act) => Promise<Result>): Promise<Result> {
    return actOn(this.ports, by, work);
  }
}
