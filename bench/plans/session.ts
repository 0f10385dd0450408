import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from '../run.ts';
import { ServerProcess } from '../server-process.ts';

interface Job {
  readonly id: string;
  readonly work:
    | string
    | { readonly type: 'process'; readonly executable: string; readonly args?: readonly string[] };
  readonly needs?: readonly string[];
}

interface Summary {
  readonly id: string;
  readonly state: string;
  readonly jobs?: { readonly succeeded?: number };
}

/** A server that is asked and a worker that runs jobs, both real, with a store of their own. */
export class PlanSession implements AsyncDisposable {
  readonly folder: string;
  readonly worker: ServerProcess;
  readonly #server: ServerProcess;
  #calls = 0;

  constructor(baton: string, home: string) {
    this.folder = mkdtempSync(join(home, 'plans-'));
    const env = {
      ...environment(this.folder),
      BATON_WORKER: 'off',
      BATON_WORKER_IDLE_SECONDS: '3600',
    };
    this.#server = new ServerProcess([baton, 'stdio'], this.folder, env);
    this.worker = new ServerProcess([baton, 'worker'], this.folder, env);
  }

  async call(name: string, args: object): Promise<Summary> {
    this.#calls += 1;
    const params = { name, arguments: args };
    const message = { jsonrpc: '2.0', id: this.#calls, method: 'tools/call', params };
    await this.#server.send(Buffer.from(`${JSON.stringify(message)}\n`));
    await this.#server.received(1);
    const [line = ''] = this.#server.takeLines();
    const { result } = JSON.parse(line);
    if (!result || result.isError) throw new Error(`${name} failed: ${line.slice(0, 500)}`);
    return result.structuredContent;
  }

  create(jobs: readonly Job[], maxParallel: number): Promise<Summary> {
    return this.call('plan_create', { name: 'bench', jobs, maxParallel });
  }

  /** Runs a plan to its end. */
  async run(jobs: readonly Job[], maxParallel: number): Promise<void> {
    const { id } = await this.create(jobs, maxParallel);
    let found: Summary;
    do found = await this.call('plan_get', { plan: id, waitSeconds: 50 });
    while (found.state === 'running');
    if (found.jobs?.succeeded !== jobs.length) throw new Error(`the plan has ${found.state}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    await this.worker[Symbol.asyncDispose]();
  }
}
