import type { Ports } from '@baton/core';
import type { TicketPorts } from '@baton/tickets';
import type { Connected } from './plans.ts';
import { machineAwake } from './system-ports.ts';

/** Connects tickets with this process, on first use. */
export function connectTickets(connect: (ports: Ports) => Promise<Connected>) {
  return async (ports: Ports): Promise<TicketPorts> => {
    const { store, workers, files, crossing } = await connect(ports);
    const { clock, ids, log, trust, workspace } = ports;
    const { checks, onEnded } = crossing;
    return {
      store,
      clock,
      ids,
      log,
      trust,
      files,
      workers,
      checks,
      onEnded,
      workspace: workspace.path,
      awake: machineAwake,
    };
  };
}
