import type { Program, Reply } from '@baton/testkit';
import { until } from './until.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every view
export type Result = any;

const WAIT_SECONDS = 20;

/** What a tool answered with `isError`. */
class Refused extends Error {
  readonly code: string;

  constructor({ code, message }: { code: string; message: string }) {
    super(message);
    this.code = code;
  }
}

/** A server over stdio, spoken to in raw JSON-RPC. */
export class PlanServer {
  readonly program: Program;
  #lastId = 0;

  constructor(program: Program) {
    this.program = program;
  }

  get pid(): number {
    return this.program.child.pid ?? 0;
  }

  async call(name: string, args: object = {}, meta?: object): Promise<Result> {
    const { result, error } = await this.request('tools/call', {
      name,
      arguments: args,
      ...(meta && { _meta: meta }),
    });
    if (error) throw new Error(`${name}: ${error.code} ${error.message}`);
    if (result.isError) throw new Refused(result.structuredContent);
    return result.structuredContent;
  }

  request(method: string, params: object = {}): Promise<Reply> {
    this.#lastId += 1;
    return this.program.request(this.#lastId, method, params);
  }

  /** The id of a new plan. */
  async create(plan: object): Promise<string> {
    return (await this.call('plan_create', { name: 'Plan', ...plan })).id;
  }

  get(plan: string, query: object = {}): Promise<Result> {
    return this.call('plan_get', { plan, ...query });
  }

  control(plan: string, action: string, more: object = {}): Promise<Result> {
    return this.call('plan_control', { plan, action, ...more });
  }

  /** Waits until nothing moves any more: it is over, or paused. */
  ended(plan: string, patienceMs?: number): Promise<Result> {
    const look = async () => {
      const found = await this.get(plan, { waitSeconds: WAIT_SECONDS });
      return !['running', 'pausing', 'cancelling', 'waiting'].includes(found.state) && found;
    };
    return until(`the end of plan ${plan}`, look, patienceMs);
  }

  /** Waits until so many processes of jobs are known to run. */
  async running(plan: string, count: number): Promise<Result> {
    return until(`${count} running jobs of plan ${plan}`, async () => {
      const found = await this.get(plan);
      return (found.jobs.running ?? 0) >= count && found;
    });
  }

  /** All attempts at a job, the first one first. */
  async attempts(plan: string, job: string): Promise<Result[]> {
    return (await this.get(plan, { view: 'attempts', job })).attempts.toReversed();
  }

  /** How each attempt at a job has ended: `lost succeeded`. */
  async story(plan: string, job: string): Promise<string> {
    return (await this.attempts(plan, job)).map(({ state }) => state).join(' ');
  }

  /** The output of a job from page to page, and the pages. */
  async log(
    plan: string,
    job: string,
    more: object = {},
  ): Promise<{ text: string; pages: number }> {
    let text = '';
    for (let from = 0, pages = 1; ; pages += 1) {
      const { logs } = await this.get(plan, { view: 'logs', job, from, ...more });
      text += logs.text;
      if (logs.isOver) return { text, pages };
      from = logs.next;
    }
  }
}
