import type { PlanWorld } from '../plans/plan-world.ts';
import { type TicketServer, ticketServer } from './ticket-server.ts';

/** A server that is there again after each time it was killed. */
export class MortalServer {
  readonly #world: PlanWorld;
  readonly #killed = new Set<TicketServer>();
  #now: TicketServer;

  constructor(world: PlanWorld) {
    this.#world = world;
    this.#now = ticketServer(world);
  }

  async kill(): Promise<void> {
    const dying = this.#now;
    this.#killed.add(dying);
    this.#now = ticketServer(this.#world);
    dying.program.child.kill('SIGKILL');
    await dying.program.exited;
  }

  /** Calls again and again until it is answered. */
  async insist<Result>(call: (server: TicketServer) => Promise<Result>): Promise<Result> {
    for (;;) {
      const server = this.#now;
      try {
        return await call(server);
      } catch (error) {
        const isLost = this.#killed.has(server) && String(error).includes('ended without');
        if (!isLost) throw error;
      }
    }
  }
}
