import type { PlanWorld } from '../plans/plan-world.ts';
import { type TicketServer, ticketServer } from './ticket-server.ts';

/** A server that is there again after each time it was killed. */
export class MortalServer {
  readonly #world: PlanWorld;
  #now: TicketServer;

  constructor(world: PlanWorld) {
    this.#world = world;
    this.#now = ticketServer(world);
  }

  async kill(): Promise<void> {
    const { program } = this.#now;
    program.child.kill('SIGKILL');
    await program.exited;
    this.#now = ticketServer(this.#world);
  }

  /** What came of a call; `undefined` if the server died meanwhile. */
  async try<Result>(call: (server: TicketServer) => Promise<Result>): Promise<Result | undefined> {
    const server = this.#now;
    try {
      return await call(server);
    } catch (error) {
      if (!String(error).includes('ended without')) throw error;
      await server.program.exited;
      return undefined;
    }
  }

  /** Again and again until it was answered. */
  async insist<Result>(call: (server: TicketServer) => Promise<Result>): Promise<Result> {
    for (;;) {
      const result = await this.try(call);
      if (result !== undefined) return result;
    }
  }
}
