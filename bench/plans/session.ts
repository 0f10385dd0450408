import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from '../run.ts';
import { ServerProcess } from '../server-process.ts';
import { ToolClient } from '../tool-client.ts';

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
  readonly #client: ToolClient;

  constructor(baton: string, home: string) {
    this.folder = mkdtempSync(join(home, 'plans-'));
    const env = {
      ...environment(this.folder),
      BATON_WORKER: 'off',
      BATON_WORKER_IDLE_SECONDS: '3600',
    };
    this.#client = new ToolClient(baton, this.folder, env);
    this.worker = new ServerProcess([baton, 'worker'], this.folder, env);
  }

  call(name: string, args: object): Promise<Summary> {
    return this.#client.call(name, args);
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
    await this.#client[Symbol.asyncDispose]();
    await this.worker[Symbol.asyncDispose]();
  }
}
