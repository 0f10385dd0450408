import type { Baton, Ports } from '@baton/core';
import type { TicketPorts, TicketService } from '@baton/tickets';
import type { Connected } from './plans.ts';
import { machineUptime } from './system-ports.ts';

/** Connects tickets with this process, on first use. */
export function connectTickets(connect: (ports: Ports) => Promise<Connected>, maxClaims = 0) {
  return async (ports: Ports): Promise<TicketPorts> => {
    const { store, workers, files, crossing, repositories } = await connect(ports);
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
      maxClaims,
      async resolveCommit(commit, asking) {
        const [found] = await repositories.examine({ base: commit }, ['.'], asking);
        return found?.base ?? commit;
      },
      workspace: workspace.path,
      uptime: machineUptime,
    };
  };
}

/**
 * The service behind the tools, for what people do with it and clients do not. `as` is a tool that
 * must be allowed here for that: none that writes is in read-only mode.
 */
export async function openTickets(
  { catalogue }: Baton,
  as: 'ticket_find' | 'ticket_create',
): Promise<TicketService> {
  return (await catalogue.tool(as).service()) as TicketService;
}
