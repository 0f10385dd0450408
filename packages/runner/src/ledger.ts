import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { BatonError, describeError, type Ids, type Log } from '@baton/core';
import {
  type Claimed,
  type Claimer,
  claimJobs,
  isLost,
  type JobTickets,
  parkJob,
  QUEUE,
  type Result,
  settleAttempt,
  settleJobsPlan,
  Turns,
} from '@baton/plans/jobs';
import {
  type Holder,
  type Lease,
  nextTryIn,
  releaseLease,
  type Store,
  type Transaction,
} from '@baton/store';
import type { JobRun, Outcome } from './job-run.ts';
import { isStoreTrouble } from './store-trouble.ts';

/** Jobs taken in one transaction: others want to write, too. */
const BATCH = 16;
const TRY_AGAIN_MS = 1000;

interface Finished {
  readonly run: JobRun;
  readonly result: Outcome;
}

export interface Advance {
  /** What became of them is written down. */
  readonly settled: readonly Finished[];
  readonly claimed: readonly Claimed[];
  /** Look again at once. */
  readonly isMore: boolean;
  /** What is due later than this was not looked at. */
  readonly at: number;
  /** Plans may be over that were not before. */
  readonly hasEnded: boolean;
}

const UNWRITABLE: Result = {
  kind: 'failed',
  reason: 'internal',
  message: 'What became of it could not be written down.',
};

/** Writes down what became of jobs and takes those that are next, in one transaction. */
export class Ledger {
  readonly #store: Store;
  readonly #log: Log;
  readonly #claimer: Claimer;
  readonly #tickets: JobTickets;
  #finished: Finished[] = [];

  constructor(store: Store, log: Log, ids: Ids, holder: Holder, tickets: JobTickets) {
    this.#store = store;
    this.#log = log;
    this.#tickets = tickets;
    this.#claimer = { holder, ids, turns: new Turns() };
  }

  get hasFinished(): boolean {
    return this.#finished.length > 0;
  }

  add(run: JobRun, result: Outcome): void {
    this.#finished.push({ run, result });
  }

  /** Jobs that end in the same moment are written down together: each write waits for the disk. */
  async gather(): Promise<void> {
    let before: number;
    do {
      before = this.#finished.length;
      await nextTurn();
      await nextTurn();
    } while (this.#finished.length > before);
  }

  async advance(mayClaim: boolean): Promise<Advance> {
    const finished = this.#finished;
    this.#finished = [];
    try {
      return await this.#store.write('durable', async (tx) => {
        const hasEnded = await this.#settle(tx, finished);
        const claimed = mayClaim ? await claimJobs(tx, this.#claimer, BATCH) : [];
        const isMore = claimed.length === BATCH;
        return { settled: finished, claimed, isMore, at: tx.now, hasEnded };
      });
    } catch (error) {
      this.#log.write('error', `cannot write: ${describeError(error)}`);
      const settled = await this.#settleApart(finished, error);
      await pause(TRY_AGAIN_MS);
      const at = this.#store.clock.now();
      return { settled, claimed: [], isMore: true, at, hasEnded: settled.length > 0 };
    }
  }

  /** Gives the seat up if there is nothing to do, in one step: nobody can add work in between. */
  claimOrLeave(seat: Lease): Promise<Claimed | 'wait' | 'left'> {
    return this.#store.write('durable', async (tx) => {
      const [found] = await claimJobs(tx, this.#claimer, 1);
      if (found) return found;
      if ((await nextTryIn(tx, QUEUE, tx.now)) !== undefined) return 'wait';
      await releaseLease(tx, seat);
      return 'left';
    });
  }

  /** Whether plans are over now. */
  async #settle(tx: Transaction, finished: readonly Finished[]): Promise<boolean> {
    const plans = new Set<string>();
    for (const { run, result } of finished) {
      const { claimed } = run;
      try {
        if (result.kind === 'parked') await parkJob(tx, claimed, result.ticket, this.#tickets);
        else await settleAttempt(tx, claimed, result);
        plans.add(claimed.plan.id);
      } catch (error) {
        // Taken from us after a silence: somebody else runs it, and our result does not count.
        if (!isLost(error)) throw error;
        this.#log.write('warn', `lost ${claimed.claim.work.id}: its result does not count`);
      }
    }
    let hasEnded = false;
    for (const id of plans) {
      const { ended_at } = await settleJobsPlan(tx, id);
      if (ended_at === null) continue;
      this.#claimer.turns.forget(id);
      hasEnded = true;
    }
    return hasEnded;
  }

  /** A result that cannot be written, whatever is wrong with it, must not hold up all others. */
  async #settleApart(finished: readonly Finished[], error: unknown): Promise<Finished[]> {
    // A full disk, perhaps: nothing is lost, and it is tried again.
    if (isStoreTrouble(error)) {
      this.#finished.unshift(...finished);
      return [];
    }
    const settled: Finished[] = [];
    for (const each of finished) if (await this.#settleAlone(each)) settled.push(each);
    return settled;
  }

  async #settleAlone(finished: Finished): Promise<boolean> {
    const { run, result } = finished;
    try {
      await this.#store.write('durable', (tx) => this.#settle(tx, [finished]));
      return true;
    } catch (error) {
      this.#log.write('error', `cannot write what became of a job: ${describeError(error)}`);
      // Without a result it is nobody's any more once this worker is gone, and is lost then.
      if (result === UNWRITABLE && !isStoreTrouble(error)) return true;
      this.add(run, isStoreTrouble(error) ? result : insteadOf(result, error));
      return false;
    }
  }
}

function insteadOf({ kind }: Outcome, error: unknown): Result {
  if (kind !== 'parked' || !(error instanceof BatonError)) return UNWRITABLE;
  const message = `No ticket could be made: ${error.message} ${error.next}`;
  return { kind: 'failed', reason: 'ticket_failed', message };
}
