import { escapeLine } from '@baton/core';
import type { PlanTools } from './plan-tools.ts';

/** How much of the end of an output is looked at, and how many lines of it are kept. */
const TAIL_BYTES = 1000;
const TAIL_LINES = 3;
const MOST_FOLLOWED = 4;
const WAIT_SECONDS = 50;
// As the executor has made them visible: a colour, and a return to the start of the line.
const COLOUR = /\\u001b\[[\d;]*m/g;
const RETURN = '\\u000d';

interface Tail {
  readonly end: AbortController;
  lines: readonly string[];
}

/** The last lines of what the jobs that run now have written. */
export class Tails {
  readonly #plans: PlanTools;
  readonly #plan: string;
  readonly #changed: () => void;
  readonly #tails = new Map<string, Tail>();

  constructor(plans: PlanTools, plan: string, changed: () => void) {
    this.#plans = plans;
    this.#plan = plan;
    this.#changed = changed;
  }

  /** Follows these jobs from now on, or as many of them as anybody can read. */
  follow(jobs: readonly string[]): void {
    const wanted = new Set(jobs.slice(0, MOST_FOLLOWED));
    for (const [job, { end }] of this.#tails) {
      if (wanted.has(job)) continue;
      end.abort();
      this.#tails.delete(job);
    }
    for (const job of wanted) {
      if (this.#tails.has(job)) continue;
      const tail: Tail = { end: new AbortController(), lines: [] };
      this.#tails.set(job, tail);
      // What cannot be read now is no reason to end the view.
      this.#read(job, tail).catch(() => {});
    }
  }

  linesOf(job: string): readonly string[] {
    return this.#tails.get(job)?.lines ?? [];
  }

  end(): void {
    this.follow([]);
  }

  async #read(job: string, tail: Tail): Promise<void> {
    const signal = AbortSignal.any([tail.end.signal, this.#plans.signal]);
    let seen = 0;
    while (!signal.aborted) {
      const query = { plan: this.#plan, view: 'logs', job };
      const wait = { from: seen, waitSeconds: WAIT_SECONDS };
      const news = await this.#plans.look({ ...query, ...wait }, signal);
      const { logs } = await this.#plans.look({ ...query, from: -TAIL_BYTES }, signal);
      if (!logs || !news.logs || signal.aborted) return;
      seen = logs.end;
      tail.lines = lastLines(logs.text);
      this.#changed();
      if (news.logs.isOver || logs.isOver) return;
    }
  }
}

function lastLines(text: string): string[] {
  return text
    .replace(COLOUR, '')
    .split('\n')
    .map((line) => line.split(RETURN).findLast((part) => part.trim() !== '') ?? '')
    .filter((line) => line.trim() !== '')
    .slice(-TAIL_LINES)
    .map(escapeLine);
}
