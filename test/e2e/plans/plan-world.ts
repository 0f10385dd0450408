import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { type Program, startProgram, temporaryFolder } from '@baton/testkit';
import { onTestFinished } from 'vitest';
import { fixtureProgram, program } from '../programs.ts';
import { PlanServer } from './plan-server.ts';
import { describeProcess, type Living, processesWith } from './processes.ts';
import { until } from './until.ts';

type Variables = Readonly<Record<string, string>>;

export interface StartOptions {
  readonly env?: Variables;
  readonly nodeArgs?: readonly string[];
  readonly command?: readonly [string, ...string[]];
  /** Another copy of it. */
  readonly program?: string;
}

interface WorldOptions {
  readonly env?: Variables;
  readonly state?: string;
  /** The workspace's name in the folder of the world. */
  readonly name?: (folder: string) => string;
}

/**
 * A workspace, a state folder, and the processes that use them. At the end the workers are told
 * to leave, and it is a failure if anything of ours still lives then.
 */
export class PlanWorld implements AsyncDisposable {
  readonly folder: string;
  readonly workspace: string;
  readonly state: string;
  readonly env: Variables;
  readonly #folder = temporaryFolder();
  readonly #programs: Program[] = [];

  constructor({ env = {}, state, name = () => 'acme' }: WorldOptions = {}) {
    this.folder = this.#folder.path;
    this.workspace = path.join(this.folder, name(this.folder));
    this.state = state ?? path.join(this.folder, 'state');
    mkdirSync(path.join(this.workspace, '.baton'), { recursive: true });
    this.env = { HOME: this.folder, BATON_STATE: this.state, ...env };
    // A test that hangs does not get as far as its end.
    onTestFinished(() => this.#killAll());
  }

  /** `auto`: it starts workers as it needs them; `off`: the test does. */
  server(
    worker: 'auto' | 'off',
    { env, program: file = program, ...options }: StartOptions = {},
  ): PlanServer {
    const started = startProgram(file, {
      cwd: this.workspace,
      env: { ...this.env, BATON_WORKER: worker, ...env },
      ...options,
    });
    this.#programs.push(started);
    return new PlanServer(started);
  }

  /** A worker that has begun to work. It can be told to crash, which no worker of a server is. */
  async worker({ env, ...options }: StartOptions = {}): Promise<Program> {
    const started = startProgram(fixtureProgram, {
      args: ['worker', '--state-dir', this.state],
      cwd: this.folder,
      env: { HOME: this.folder, ...env },
      ...options,
    });
    this.#programs.push(started);
    await started.until('a worker at work', () => started.stderr.includes('works (worker'));
    return started;
  }

  /** The program at a terminal, to its end. */
  async baton(
    ...args: string[]
  ): Promise<{ status: number | null; stdout: string; stderr: string }> {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: this.workspace,
      env: { PATH: process.env.PATH, ...this.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const status = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { status: await status, stdout, stderr };
  }

  file(name: string): string {
    return path.join(this.workspace, name);
  }

  write(name: string, content: string): void {
    mkdirSync(path.dirname(this.file(name)), { recursive: true });
    writeFileSync(this.file(name), content);
  }

  /** The lines that jobs have added to a file; none while there is no file. */
  lines(name: string): string[] {
    if (!existsSync(this.file(name))) return [];
    return readFileSync(this.file(name), 'utf8').split('\n').slice(0, -1);
  }

  workers(): Living[] {
    return processesWith(this.folder).filter(
      ({ command }) => command.includes('worker') && command.includes(this.state),
    );
  }

  /** Waits for the one worker. */
  theWorker(): Promise<Living> {
    return until('a worker', () => this.workers().at(0));
  }

  /** Processes of jobs, by the tracking id in their environment. */
  jobs(): Living[] {
    return processesWith(this.folder).filter(({ env }) => env.has('BATON_JOB'));
  }

  noJobs(): Promise<true> {
    return until('the end of all job processes', () => this.jobs().length === 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#endWorkers();
      // Servers would start another one.
      for (const each of this.#programs) await each[Symbol.asyncDispose]();
      await this.#endWorkers();
      this.#expectNobody();
    } finally {
      this.#killAll();
    }
  }

  #killAll(): void {
    if (!existsSync(this.folder)) return;
    for (const { pid } of processesWith(this.folder)) signal(pid, 'SIGKILL');
    this.#folder[Symbol.dispose]();
  }

  async #endWorkers(): Promise<void> {
    const told = new Set<number>();
    await until('the end of all workers', () => {
      const workers = this.workers();
      for (const { pid } of workers) {
        if (!told.has(pid)) signal(pid, 'SIGTERM');
        told.add(pid);
      }
      return workers.length === 0;
    });
  }

  #expectNobody(): void {
    const left = processesWith(this.folder).map(describeProcess);
    if (left.length > 0) throw new Error(`left behind:\n${left.join('\n')}`);
  }
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It was faster.
  }
}
