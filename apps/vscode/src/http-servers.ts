import { HttpServer, type HttpServerOptions } from './http-server.ts';

export type HttpWish = Pick<HttpServerOptions, 'launch' | 'port'>;

/** One HTTP server for each folder that wants one. */
export class HttpServers {
  readonly #options: Omit<HttpServerOptions, 'launch' | 'port'>;
  readonly #servers = new Map<string, { readonly wish: string; readonly server: HttpServer }>();
  #wishes: ReadonlyMap<string, HttpWish> = new Map();
  #work: Promise<void> = Promise.resolve();

  constructor(options: Omit<HttpServerOptions, 'launch' | 'port'>) {
    this.#options = options;
  }

  /** By folder, in the order of the wishes. */
  get servers(): ReadonlyMap<string, HttpServer> {
    const entries = [...this.#wishes.keys()].flatMap((folder) => {
      const found = this.#servers.get(folder);
      return found ? [[folder, found.server] as const] : [];
    });
    return new Map(entries);
  }

  /** Starts what is missing or has failed, stops what is too much. The last word counts. */
  set(wishes: ReadonlyMap<string, HttpWish>): Promise<void> {
    this.#wishes = wishes;
    return this.#next(() => this.#settle());
  }

  /** Once it is known of each whether it runs. */
  async settled(): Promise<void> {
    await this.#work;
    await Promise.all([...this.#servers.values()].map(({ server }) => server.settled()));
  }

  restart(): Promise<void> {
    return this.#next(async () => {
      const running = [...this.#servers];
      await Promise.all(running.map(([folder, { server }]) => this.#remove(folder, server)));
      await this.#settle();
    });
  }

  /** One change after another; what went wrong with one is no reason against the next. */
  #next(step: () => Promise<void>): Promise<void> {
    this.#work = this.#work.catch(() => {}).then(step);
    return this.#work;
  }

  async #settle(): Promise<void> {
    const wishes = this.#wishes;
    const surplus = [...this.#servers].filter(
      ([folder, { wish, server }]) =>
        keyOf(wishes.get(folder)) !== wish || server.state.kind === 'failed',
    );
    // A port is free again only when its server has gone.
    await Promise.all(surplus.map(([folder, { server }]) => this.#remove(folder, server)));
    for (const [folder, wish] of wishes) {
      if (this.#servers.has(folder)) continue;
      const server = new HttpServer({ ...this.#options, ...wish });
      this.#servers.set(folder, { wish: keyOf(wish), server });
      server.start();
    }
  }

  async #remove(folder: string, server: HttpServer): Promise<void> {
    await server.stop();
    this.#servers.delete(folder);
  }
}

function keyOf(wish: HttpWish | undefined): string {
  return JSON.stringify(wish ?? null);
}
