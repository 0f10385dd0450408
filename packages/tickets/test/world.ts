import { type CallContext, createCatalogue, createExecutor, type Feature } from '@baton/core';
import { openStore, type Store } from '@baton/store';
import { createFakeClock, createMemoryLog, type FakeClock } from '@baton/testkit';
import {
  type CheckRun,
  createTicketsFeature,
  type Evidence,
  type TicketPorts,
  ticketsSchema,
} from '@baton/tickets';
import type { Ticket } from '@baton/tickets/work';

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every tool
type Result = any;

/** A refusal, by its code. */
export class Refused extends Error {
  readonly code: string;
  readonly next: string;

  constructor({ code, message, next }: { code: string; message: string; next: string }) {
    super(message);
    this.code = code;
    this.next = next;
  }
}

export interface World extends AsyncDisposable {
  readonly store: Store;
  readonly clock: FakeClock;
  /** Tickets that are over, as told to whoever may wait for them. */
  readonly ended: Ticket[];
  /** Checks that run: ended by the test. */
  readonly runs: Map<string, CheckRun & { evidence?: Evidence; isCancelled?: boolean }>;
  call(tool: string, args?: object, context?: Partial<CallContext>): Promise<Result>;
  /** The ref of a new ticket. */
  create(title: string, more?: object): Promise<string>;
  /** Claims the next one: its ref and its token. */
  take(args?: object): Promise<{ id: string; token: string }>;
  report(claim: { id: string; token?: string }, outcome: string, more?: object): Promise<Result>;
  state(id: string): Promise<string>;
  /** Done once, after somebody has looked at evidence and before that is written down. */
  meanwhile: (() => Promise<void>) | undefined;
  /** Ends the only run of checks. */
  endChecks(verdict: Evidence['verdict']): void;
  /** The machine is uptime for so long, and the clock goes on. */
  pass(seconds: number): void;
  /** The machine was restarted: it begins to count anew. */
  restart(): void;
  service(): unknown;
}

export async function createWorld(
  given: { workspace?: string; store?: Store; maxClaims?: number } = {},
): Promise<World> {
  const clock = createFakeClock();
  const ids = { next: () => crypto.randomUUID() };
  const log = createMemoryLog();
  const store =
    given.store ??
    (await openStore({ file: ':memory:', log, clock, ids, schemas: [ticketsSchema] }));
  const { workspace = '/ws' } = given;
  let uptime = 1_000_000;
  const runs: World['runs'] = new Map();
  const ended: Ticket[] = [];
  const checks: TicketPorts['checks'] = {
    async start(_, run) {
      const id = `run-${runs.size + 1}`;
      runs.set(id, { ...run });
      return id;
    },
    ended: async (_, asked) => asked.filter((id) => runs.get(id)?.evidence),
    async evidence(id) {
      const { evidence } = runs.get(id) ?? {};
      const meanwhile = world.meanwhile;
      world.meanwhile = undefined;
      await meanwhile?.();
      return evidence ?? { verdict: 'cancelled', dirty: true, checks: [] };
    },
    async cancel(_, id) {
      const run = runs.get(id);
      if (run) run.isCancelled = true;
    },
  };
  const feature = createTicketsFeature(async ({ trust }) => ({
    store,
    clock,
    ids,
    log,
    trust,
    checks,
    workspace,
    files: { read: async (file) => ({ source: file, text: '' }) },
    workers: { ensure: async () => {}, problem: async () => undefined },
    resolveCommit: async (commit) => commit,
    uptime: () => uptime,
    maxClaims: given.maxClaims ?? 0,
    async onEnded(_, ticket) {
      ended.push(ticket);
      return false;
    },
  }));
  const catalogue = createCatalogue({
    features: [feature as Feature],
    ports: {
      clock,
      ids,
      log,
      changes: { publish: () => {}, subscribe: () => () => {} },
      workspace: { path: workspace, foundBy: 'folder' },
      trust: { require: async () => {}, isTrusted: async () => true },
    },
  });
  const execute = createExecutor({ clock, ids, log });

  const world: World = {
    store,
    clock,
    ended,
    runs,
    meanwhile: undefined,
    async call(tool, args = {}, context = {}) {
      const outcome = await execute(catalogue.tool(tool), args, {
        signal: new AbortController().signal,
        caller: { name: 'tester' },
        ...context,
      });
      if (outcome.kind === 'result') return outcome.data;
      if (outcome.kind === 'error' && outcome.error.code === 'internal_error') {
        throw new Error(log.entries.findLast(({ level }) => level === 'error')?.message);
      }
      if (outcome.kind === 'error') throw new Refused(outcome.error);
      return outcome;
    },
    create: async (title, more = {}) => (await world.call('ticket_create', { title, ...more })).id,
    async take(args = {}) {
      const { ticket, token } = await world.call('ticket_next', args);
      return { id: ticket?.id, token };
    },
    report: (claim, outcome, more = {}) =>
      world.call('ticket_report', { ...claim, outcome, summary: 'It is so.', ...more }),
    state: async (id) => (await world.call('ticket_find', { id })).ticket.state,
    endChecks(verdict) {
      const [open, ...others] = [...runs.values()].filter((run) => !run.evidence);
      if (!open || others.length > 0) throw new Error(`${others.length + 1} runs are open`);
      const shown = open.checks.map((check) => ({
        command: String(check),
        passed: verdict === 'passed',
        log: 'baton://plan/x/job/y/log',
      }));
      open.evidence = { verdict, dirty: true, checks: shown };
    },
    pass(seconds) {
      uptime += seconds * 1000;
      clock.advance(seconds * 1000);
    },
    restart() {
      uptime = 5_000;
    },
    service: () => catalogue.tool('ticket_find').service(),
    async [Symbol.asyncDispose]() {
      await store.close();
    },
  };
  return world;
}

/** The refusal that a call gets. */
export async function refusal(call: Promise<unknown>): Promise<Refused> {
  const result = await call.then(
    (value) => value,
    (error: unknown) => error,
  );
  if (result instanceof Refused) return result;
  throw new Error(`not refused: ${JSON.stringify(result)}`);
}
