import type { Asking, CommandSource } from '@baton/core';
import { openStore } from '@baton/store';
import { createFakeClock, createMemoryLog } from '@baton/testkit';
import { ticketsSchema } from '@baton/tickets';
import type { ExportedFile, TicketFolder } from '../src/exchange/export-into.ts';
import type { ImportedFile } from '../src/exchange/importing.ts';
import { TicketService } from '../src/service.ts';

const NOBODY: Asking = {
  can: { ask: false, sample: false, roots: false },
  ask: () => undefined,
  askAll: () => {
    throw new Error('nobody is asked here');
  },
};

/** Tickets on a real store, and files that lie in memory. */
export interface ExchangeWorld extends AsyncDisposable {
  readonly service: TicketService;
  readonly files: Map<string, string>;
  /** What somebody would have been asked to approve. */
  readonly approved: CommandSource[];
  /** Creates a ticket and returns its number. */
  add(ticket: Parameters<TicketService['create']>[0]): Promise<string>;
  export(force?: boolean): Promise<ExportedFile[]>;
  import(options?: { force?: boolean; dryRun?: boolean }): Promise<ImportedFile[]>;
}

export async function createExchangeWorld(workspace = '/ws'): Promise<ExchangeWorld> {
  const clock = createFakeClock();
  const ids = { next: () => crypto.randomUUID() };
  const log = createMemoryLog();
  const store = await openStore({ file: ':memory:', log, clock, ids, schemas: [ticketsSchema] });
  const files = new Map<string, string>();
  const approved: CommandSource[] = [];
  const service = new TicketService({
    store,
    clock,
    ids,
    log,
    workspace,
    trust: {
      async require(source) {
        if (source.commands.length > 0) approved.push(source);
      },
      isTrusted: async () => true,
    },
    files: { read: async (file) => ({ source: file, text: files.get(file) ?? '' }) },
    checks: {
      start: async () => 'run',
      ended: async () => [],
      evidence: async () => ({ verdict: 'cancelled', dirty: false, checks: [] }),
      cancel: async () => {},
    },
    workers: { ensure: async () => {}, problem: async () => undefined },
    resolveCommit: async (commit) => commit,
    uptime: () => clock.monotonic(),
    maxClaims: 0,
    onEnded: async () => false,
  });
  const folder: TicketFolder = {
    names: async () => [...files.keys()],
    read: async (name) => files.get(name) ?? '',
    write: async (name, text) => {
      files.set(name, text);
    },
    sourceOf: (name) => name,
  };
  return {
    service,
    files,
    approved,
    async add(ticket) {
      return `T-${(await service.create(ticket, 'anna')).number}`;
    },
    export: (force = false) => service.export('all', folder, force),
    import({ force = false, dryRun = false } = {}) {
      const named = [...files.keys()].map((path) => ({ path, isNamed: true }));
      return service.import(named, { force, dryRun }, { name: 'bert' }, NOBODY);
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
}
