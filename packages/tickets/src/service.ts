import type { Asking, Caller } from '@baton/core';
import { fingerprint, once } from '@baton/store';
import type { Act } from './act.ts';
import { actOn, conclude } from './acting.ts';
import { changeView, outcomeOf, whatNext, whyNothing } from './answers.ts';
import { createTicket, type NewTicket } from './creating.ts';
import { refOf } from './definition.ts';
import type { TicketFolder } from './exchange/export-into.ts';
import type { ImportOptions } from './exchange/importing.ts';
import type { FileToRead } from './exchange/ticket-files.ts';
import type { TicketQuery } from './finding.ts';
import {
  listTickets,
  lookAtInbox,
  lookAtTicket,
  type TicketLook,
  untilChecked,
} from './looking.ts';
import type { TicketPorts } from './ports.ts';
import { removeTicket } from './removing.ts';
import { type Report, reportTicket } from './reporting.ts';
import { type NextQuery, takeNext } from './taking.ts';
import { findTicket, type Ticket, tables, ticketTopic } from './ticket-repository.ts';
import { tidy } from './tidying.ts';
import { type TicketUpdate, updateTicket } from './updating.ts';
import { assertVersion } from './versions.ts';
import { full, historyView } from './views/ticket-view.ts';
import type { Waiting } from './waiting.ts';

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
    return this.#act(by, async (act) => {
      const make = async () => (await createTicket(act, workspace, asked)).id;
      const scope = `ticket_create ${workspace}`;
      const id =
        key === undefined
          ? await make()
          : await once(act.tx, { scope, key, fingerprint: print }, make);
      return findTicket(act.tx, workspace, id);
    });
  }

  next(query: NextQuery, caller: Caller, call: Waiting): Promise<Ticket | undefined> {
    return takeNext(this.ports, query, caller, this.nameOf(caller, query.agent), call);
  }

  whyNothing(): Promise<string> {
    return whyNothing(this.ports);
  }

  /** What became of a claimed ticket. Waits a while for the outcome of its checks. */
  async report(
    reference: string,
    report: Report & { readonly waitSeconds?: number | undefined },
    by: string,
    call: Waiting & Asking,
  ): Promise<Ticket> {
    const { workspace, checks, workers } = this.ports;
    await conclude(this.ports, workspace);
    const exact = await this.#atCommit(reference, report, call);
    const reported = await this.#act(by, async (act) =>
      reportTicket(act, await findTicket(act.tx, workspace, reference), exact, checks),
    );
    if (reported.state !== 'verifying') return reported;
    await workers.ensure();
    return untilChecked(this.ports, reported, report.waitSeconds ?? 0, call);
  }

  /** Found before anything is written: checks at a commit that does not exist say nothing. */
  async #atCommit(reference: string, report: Report, asking: Asking): Promise<Report> {
    const { store, workspace } = this.ports;
    if (!report.commit || report.outcome !== 'done') return report;
    const { checks } = await store.read((tx) => findTicket(tx, workspace, reference));
    if (checks === '[]') return report;
    return { ...report, commit: await this.ports.resolveCommit(report.commit, asking) };
  }

  describeOutcome(ticket: Ticket) {
    return outcomeOf(this.ports, ticket);
  }

  update(reference: string, update: TicketUpdate, by: string): Promise<Ticket> {
    const { workspace, checks } = this.ports;
    return this.#act(by, async (act) =>
      updateTicket(act, await findTicket(act.tx, workspace, reference), update, checks),
    );
  }

  whatNext(ticket: Ticket): string {
    return whatNext(ticket);
  }

  describeChange(ticket: Ticket) {
    return changeView(this.ports, ticket);
  }

  remove(reference: string, version: number, by: string): Promise<Ticket> {
    const { workspace, checks } = this.ports;
    return this.#act(by, async (act) => {
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

  look(reference: string, look: TicketLook, call: Waiting): Promise<Ticket> {
    return lookAtTicket(this.ports, reference, look, call);
  }

  list(query: TicketQuery & { readonly waitSeconds?: number | undefined }, call: Waiting) {
    return listTickets(this.ports, query, call);
  }

  inbox(where: 'here' | 'everywhere', limit: number) {
    return lookAtInbox(this.ports, where, limit);
  }

  show(ticket: Ticket) {
    return this.ports.store.read((tx) => full(tx, ticket, this.ports.uptime()));
  }

  history(ticket: Ticket) {
    return this.ports.store.read((tx) => historyView(tx, ticket));
  }

  /** Calls back whenever a ticket has changed, until it is ended. */
  async watch(reference: string, changed: () => void): Promise<() => void> {
    const { store, workspace } = this.ports;
    const { id } = await this.find(reference);
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

  /** All of it, as it would stand in a file. */
  async document(ticket: Ticket) {
    const { documentOf } = await import('./exchange/exporting.ts');
    return this.ports.store.read((tx) => documentOf(tx, ticket));
  }

  async export(state: NonNullable<TicketQuery['state']>, folder: TicketFolder, force: boolean) {
    const { exportInto } = await import('./exchange/export-into.ts');
    await tidy(this.ports);
    return exportInto(this.ports, state, folder, force);
  }

  async import(
    files: readonly FileToRead[],
    options: ImportOptions,
    caller: Caller,
    asking: Asking,
  ) {
    const { importTickets } = await import('./exchange/importing.ts');
    return importTickets(this.ports, files, options, this.nameOf(caller), asking);
  }

  #act<Result>(by: string, work: (act: Act) => Promise<Result>): Promise<Result> {
    return actOn(this.ports, by, work);
  }
}
