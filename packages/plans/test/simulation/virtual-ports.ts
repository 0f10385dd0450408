import type { LogFiles } from '@baton/store';
import { fakeTickets } from '../fake-tickets.ts';
import { noRepositories } from '../no-repositories.ts';
import type { PlanPorts } from '../under-test.ts';
import type { World } from './world.ts';

const WORKSPACE = '/simulated';

/** What a service needs beside the store, as far as plans without files and output use it. */
export function virtualPorts(world: World): PlanPorts {
  const logs: Pick<LogFiles, 'remove'> = {
    async remove(id) {
      world.removedLogs.push(id);
    },
  };
  return {
    get store() {
      return world.store;
    },
    logs: logs as LogFiles,
    ids: { next: () => world.machine.ids.next() },
    clock: { now: () => world.machine.time.now(), monotonic: () => world.machine.time.awake },
    workspace: WORKSPACE,
    sealer: { seal: (values) => JSON.stringify(values), open: (sealed) => JSON.parse(sealed) },
    trust: { require: async () => {}, isTrusted: async () => true },
    files: {
      async read(file) {
        throw new Error(`There is no ${file}`);
      },
    },
    workers: { ensure: async () => {}, problem: async () => undefined },
    environment: {},
    tickets: fakeTickets,
    repositories: noRepositories,
  };
}
