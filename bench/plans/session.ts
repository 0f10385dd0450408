import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from '../run.ts';
import { ServerProcess } from '../server-process.ts';
import { ToolClient } from '../tool-client.ts';

export interface Job {
  readonly id: string;
  readonly work:
    | string
    | { readonly type: 'process'; readonly executable: string; readonly args?: readonly string[] };
  readonly needs?: readonly string[];
}

interface Plan {
  readonly maxParallel: number;
  /** Makes its jobs work in worktrees of the repository that the workspace is. */
  readonly git?: object;
}

interface Summary {
  readonly id: string;
  readonly state: string;
}

/** A server that is asked and a worker that runs jobs, both real, with a store of their own. */
export class PlanSession implements AsyncDisposable {
  readonly folder: string;
  readonly worker: ServerProcess;
  readonly #client: ToolClient;

  /** Without a workspace it has an empty one. */
  constructor(baton: string, home: string, workspace?: string) {
    this.folder = mkdtempSync(join(home, 'plans-'));
    const env = {
      ...environment(this.folder),
      BATON_WORKER: 'off',
      BATON_WORKER_IDLE_SECONDS: '3600',
    };
    const cwd = workspace ?? this.folder;
    this.#client = new ToolClient(baton, cwd, env);
    this.worker = new ServerProcess([baton, 'worker'], cwd, env);
  }

  /** CPU of server, worker and all that these have started and seen end. */
  get cpu(): number | undefined {
    const [server, worker] = [this.#client.familyCpu, this.worker.familyCpu];
    return server === undefined || worker === undefined ? undefined : server + worker;
  }

  call<Answer = Summary>(name: string, args: object): Promise<Answer> {
    return this.#client.call(name, args);
  }

  create(jobs: readonly Job[], plan: Plan): Promise<Summary> {
    return this.call('plan_create', { name: 'bench', jobs, ...plan });
  }

  /** Runs a plan to its end; answers its id. */
  async run(jobs: readonly Job[], plan: Plan): Promise<string> {
    const { id } = await this.create(jobs, plan);
    let found: Summary;
    do found = await this.call('plan_get', { plan: id, waitSeconds: 50 });
    while (found.state === 'running');
    if (found.state !== 'succeeded') throw new Error(`the plan has ${found.state}`);
    return id;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
    await this.worker[Symbol.asyncDispose]();
  }
}
