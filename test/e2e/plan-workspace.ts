import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@baton/testkit';
import { expect } from 'vitest';
import { signal } from './plans/plan-world.ts';
import { describeProcess, processesWith } from './plans/processes.ts';
import { fixtureProgram, program } from './programs.ts';
import { Terminal, type TerminalOptions } from './terminal.ts';

/** A workspace with plan files, a state of its own, and the real program. */
export class PlanWorkspace implements AsyncDisposable {
  readonly #folder = temporaryFolder();
  readonly path = path.join(this.#folder.path, 'acme');
  readonly state = path.join(this.#folder.path, 'state');
  readonly env = {
    PATH: process.env.PATH ?? '',
    HOME: this.#folder.path,
    BATON_STATE: this.state,
    BATON_WORKER_IDLE_SECONDS: '1',
  };

  constructor() {
    mkdirSync(path.join(this.path, '.baton'), { recursive: true });
    mkdirSync(path.join(this.path, 'plans'));
  }

  file(name: string): string {
    return path.join(this.path, name);
  }

  /** Writes a plan file: `jobs` as lines of YAML. */
  write(name: string, ...jobs: readonly string[]): string {
    const lines = ['name: Check', 'jobs:', ...jobs.map((job) => `  - ${job}`)];
    writeFileSync(this.file(name), `${lines.join('\n')}\n`);
    return name;
  }

  /** As `write`, and a person has approved it. */
  approved(name: string, ...jobs: readonly string[]): string {
    const file = this.write(name, ...jobs);
    expect(this.baton('trust', 'grant', file, '--yes').status).toBe(0);
    return file;
  }

  baton(...args: readonly string[]) {
    return this.batonIn(this.path, ...args);
  }

  batonIn(cwd: string, ...args: readonly string[]) {
    return this.#run(cwd, '', args);
  }

  /** With something piped into it. */
  batonWith(input: string, ...args: readonly string[]) {
    return this.#run(this.path, input, args);
  }

  #run(cwd: string, input: string, args: readonly string[]) {
    const { status, stdout, stderr, error } = spawnSync(process.execPath, [program, ...args], {
      cwd,
      env: this.env,
      encoding: 'utf8',
      input,
      timeout: 50_000,
    });
    if (error) throw error;
    return { status, stdout, stderr };
  }

  /** What a command prints as JSON. */
  json(...args: readonly string[]) {
    return JSON.parse(this.baton(...args, '--json').stdout);
  }

  /** Creates a plan from a file and returns its id. */
  start(file: string, ...flags: readonly string[]): string {
    return this.json('plan', 'run', file, '--no-wait', ...flags).id;
  }

  terminal(args: readonly string[], options: Partial<TerminalOptions> = {}): Terminal {
    const env = { ...this.env, ...options.env };
    return new Terminal([process.execPath, program, ...args], { cwd: this.path, ...options, env });
  }

  /** The same with the fixtures' tools. */
  fixtureTerminal(args: readonly string[]): Terminal {
    return new Terminal([process.execPath, fixtureProgram, ...args], {
      cwd: this.path,
      env: this.env,
    });
  }

  stateOf(plan: string): string {
    return this.json('plan', 'show', plan).state;
  }

  until(plan: string, state: string): Promise<void> {
    return expect.poll(() => this.stateOf(plan), { timeout: 30_000, interval: 100 }).toBe(state);
  }

  untilJob(plan: string, job: string, state: string): Promise<void> {
    const found = () => this.json('plan', 'graph', plan).graph.states[job];
    return expect.poll(found, { timeout: 30_000, interval: 100 }).toBe(state);
  }

  /** Tells workers to leave, and waits until they have: nothing may outlive a test. */
  async [Symbol.asyncDispose](): Promise<void> {
    const told = new Set<number>();
    const left = () => {
      const living = processesWith(this.#folder.path);
      for (const { pid, command } of living) {
        if (!command.includes('worker') || told.has(pid)) continue;
        signal(pid, 'SIGTERM');
        told.add(pid);
      }
      return living.map(describeProcess);
    };
    await expect.poll(left, { timeout: 30_000, interval: 20 }).toEqual([]);
    this.#folder[Symbol.dispose]();
  }
}
