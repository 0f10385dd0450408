import type { PlanView } from '@baton/runtime';
import type { Command } from '../../command.ts';
import { type Io, print, printPart } from '../../io.ts';
import { UsageError } from '../../usage-error.ts';
import { planArgument } from './plan-argument.ts';
import { type PlanTools, withPlans } from './plan-tools.ts';

const USAGE = 'logs <id> <job> [--follow] [--attempt <n>] [--all]';

export const logs: Command = {
  name: 'plan logs',
  summary: 'print the output of a job, its end or all of it',
  usage: `baton plan ${USAGE} [--json] [flags]`,
  flags: {
    follow: { type: 'boolean', short: 'f', summary: 'go on until the job has ended' },
    attempt: { type: 'string', value: 'n', summary: 'of this attempt (default: the newest)' },
    all: { type: 'boolean', summary: 'from the beginning, not only the end' },
    json: { type: 'boolean', summary: 'print each page as one line of JSON' },
  },
  examples: ['baton plan logs 4f1c build', 'baton plan logs 4f1c build --follow --all'],
  maxArguments: 2,
  async run(io, parsed, extras) {
    const plan = planArgument(parsed, USAGE);
    const [, job] = parsed.positionals;
    if (!job) throw new UsageError('Which job?', `Usage: baton plan ${USAGE}`);
    const { follow, all, json } = parsed.values;
    const query: LogsQuery = { plan, job, attempt: numberOf(parsed.values.attempt) };
    const output = new LogOutput(io, json ? 'json' : 'text');
    return withPlans(io, parsed, extras, async (plans) => {
      const log = new JobLog(plans, query, output, all ? 0 : undefined);
      if (follow) await log.follow();
      else await log.read(Boolean(all));
      await output.end(job);
      return 0;
    });
  },
};

function numberOf(given: unknown): number | undefined {
  if (given === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/.test(String(given))) return Number(given);
  throw new UsageError('--attempt must be a number from 1 on.');
}

type Page = NonNullable<PlanView['logs']>;

interface LogsQuery {
  readonly plan: string;
  readonly job: string;
  readonly attempt: number | undefined;
}

class LogOutput {
  readonly #io: Io;
  readonly #format: 'text' | 'json';
  #isWritten = false;
  #isAtStart = true;

  constructor(io: Io, format: 'text' | 'json') {
    this.#io = io;
    this.#format = format;
  }

  async page(page: Page): Promise<void> {
    if (this.#format === 'json') return print(this.#io.stdout, JSON.stringify(page));
    if (page.text === '') return;
    this.#isWritten = true;
    this.#isAtStart = page.text.endsWith('\n');
    await printPart(this.#io.stdout, page.text);
  }

  async end(job: string): Promise<void> {
    if (this.#format === 'json') return;
    if (!this.#isWritten) await print(this.#io.stderr, `Job ${job} has no output.`);
    else if (!this.#isAtStart) await print(this.#io.stdout, '');
  }
}

/** How long a wait for the next attempt may go without a look. */
const LOOK_MS = 5000;
const WAIT_SECONDS = 50;

/** Reads the output of a job, attempt after attempt. */
class JobLog {
  readonly #plans: PlanTools;
  readonly #query: LogsQuery;
  readonly #output: LogOutput;
  #from: number | undefined;
  #attempt: number | undefined;

  constructor(plans: PlanTools, query: LogsQuery, output: LogOutput, from: number | undefined) {
    this.#plans = plans;
    this.#query = query;
    this.#output = output;
    this.#from = from;
    this.#attempt = query.attempt;
  }

  /** What is there now: a page, or all of them. */
  async read(isAll: boolean): Promise<void> {
    for (;;) {
      const page = await this.#page({});
      if (!isAll || page.next >= page.end || page.text === '') return;
    }
  }

  async follow(): Promise<void> {
    const { signal } = this.#plans;
    using changes = await this.#plans.watch(this.#query.plan);
    while (!signal.aborted) {
      const page = await this.#page({ waitSeconds: WAIT_SECONDS });
      if (!page.isOver) continue;
      const { job, state } = await this.#plans.look({ ...this.#query, view: 'job' });
      if (job && job.attempts > page.attempt && !this.#query.attempt) {
        this.#attempt = page.attempt + 1;
        this.#from = 0;
      } else if (this.#query.attempt || isOver(job?.state) || isOver(state)) {
        return;
      } else {
        await changes.next(LOOK_MS, signal);
      }
    }
  }

  async #page(wait: object): Promise<Page> {
    const { plan, job } = this.#query;
    const query = { plan, job, view: 'logs', attempt: this.#attempt, from: this.#from, ...wait };
    const { logs: page } = await this.#plans.look(query);
    if (!page) throw new TypeError('plan_get returned no logs');
    // From here on of this attempt: offsets of another one mean something else.
    if (page.attempt > 0) this.#attempt = page.attempt;
    this.#from = page.next;
    await this.#output.page(page);
    return page;
  }
}

function isOver(state: string | undefined): boolean {
  return ['succeeded', 'failed', 'cancelled', 'blocked', 'archived'].includes(state ?? '');
}
