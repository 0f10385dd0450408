import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment, Ids, Log, Trust } from '@baton/core';
import { describeError, stateUnwritable } from '@baton/core';
import {
  type Claimed,
  isLost,
  type JobTickets,
  QUEUE,
  type Sealer,
  STOP_TOPIC,
  stopRequests,
} from '@baton/plans/jobs';
import {
  claimLease,
  type Holding,
  type Lease,
  type LogFiles,
  nextTryIn,
  queueTopic,
  releaseLease,
  type Store,
  setGate,
} from '@baton/store';
import { JobRun } from './job-run.ts';
import type { KeepAwake } from './keep-awake.ts';
import { type Advance, Ledger } from './ledger.ts';
import { LostWork } from './lost-work.ts';
import type { OnPoint } from './points.ts';
import { StartRecords } from './start-records.ts';
import { Sweeper } from './sweeper.ts';
import { Cleaner } from './worktree/cleaner.ts';
import { ConflictWatch } from './worktree/conflict-watch.ts';
import { GitGround } from './worktree/git-ground.ts';

export interface WorkerOptions {
  readonly store: Store;
  readonly logs: LogFiles;
  readonly ids: Ids;
  readonly log: Log;
  readonly sealer: Sealer;
  readonly tickets: JobTickets;
  readonly label: string;
  /** Where jobs write their outputs. */
  readonly folder: string;
  /** Where jobs of plans with git work. */
  readonly worktrees: string;
  readonly trust: Pick<Trust, 'isTrusted'>;
  /** For what is cleaned up without any job. */
  readonly environment: Environment;
  /** Jobs of all plans at once; 0: any number. */
  readonly userLimit: number;
  /** It leaves when there was nothing to do for so long. */
  readonly idleMs: number;
  /** From TERM to KILL. */
  readonly graceMs: number;
  /** How often it looks whether another holder of leases is gone. */
  readonly lookMs?: number;
  /** Left out where the machine may fall asleep. */
  readonly awake?: KeepAwake;
  readonly onPoint?: OnPoint;
  /** Somebody may wait for a plan that is over. */
  onPlansEnded?(): void;
}

/** Held by the one worker of a store, so that everybody can see that it lives. */
export const WORKER_LEASE = 'worker';

const LOOK_MS = 5000;

/** Takes jobs, runs them, and says what became of them, until there is nothing left to do. */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #holding: Holding;
  readonly #lost: LostWork;
  readonly #starts: StartRecords;
  readonly #sweeper: Sweeper;
  readonly #runs = new Map<string, JobRun>();
  readonly #ledger: Ledger;
  readonly #git: GitGround;
  readonly #cleaner: Cleaner;
  #isLeaving = false;
  /** Whether a job may wait for its next try: to look each time would cost more than most jobs do. */
  #mayBeDelayed = true;
  #isAsked = false;
  #wake = () => {};

  constructor(options: WorkerOptions) {
    const { store, label, log, graceMs, folder, onPoint } = options;
    this.#options = options;
    this.#holding = store.createHolding({ label });
    const { holder } = this.#holding;
    this.#ledger = new Ledger(store, log, options.ids, holder, options.tickets);
    this.#lost = new LostWork(store, log, graceMs, folder);
    this.#sweeper = new Sweeper(store, log, graceMs);
    const conflicts = new ConflictWatch(store, log, options.environment);
    this.#git = new GitGround(options.worktrees, options.trust, conflicts);
    this.#cleaner = new Cleaner(store, log, options.environment, onPoint);
    this.#starts = new StartRecords(
      store,
      log,
      ({ attempt }) => this.#runs.has(attempt.id),
      ({ job }) => onPoint?.('start recorded', job.id),
    );
  }

  /** Ends what runs and gives it back, then leaves. */
  leave(graceMs?: number): void {
    this.#isLeaving = true;
    for (const run of this.#runs.values()) run.stop('release', graceMs);
    this.#wake();
  }

  /** Until it is idle, or told to leave. `false` if another worker is at work already. */
  async run(): Promise<boolean> {
    const { store, log, folder, lookMs = LOOK_MS } = this.#options;
    makeFolder(folder);
    await this.#lost.expire();
    const lease = await this.#takeSeat();
    if (!lease) return false;
    const lost = this.#holding.keep(lease);
    lost.addEventListener('abort', () => this.leave());
    const ends = await Promise.all([
      store.changes.subscribe({ topic: queueTopic(QUEUE) }, () => this.#wakeUp()),
      store.changes.subscribe({ topic: STOP_TOPIC }, () => this.#stopAsked()),
    ]);
    const looks = setInterval(() => this.#wakeToLook(), lookMs);
    log.write('info', `works (${this.#options.label})`);
    try {
      await this.#lost.reap();
      await this.#work(lease);
    } finally {
      await this.#cleaner.end();
      clearInterval(looks);
      this.#starts.end();
      for (const end of ends) end();
      this.#options.awake?.end();
      this.#holding.end();
    }
    log.write('info', 'leaves');
    return true;
  }

  #takeSeat(): Promise<Lease | undefined> {
    const { store, userLimit } = this.#options;
    return store.write('durable', async (tx) => {
      const lease = await claimLease(tx, WORKER_LEASE, this.#holding.holder);
      const limit = userLimit > 0 ? { maxRunning: userLimit } : {};
      if (lease) await setGate(tx, { queue: QUEUE }, limit);
      return lease;
    });
  }

  async #work(seat: Lease): Promise<void> {
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#isAsked = false;
      await this.#ledger.gather();
      const { isMore, at } = await this.#advance();
      if (isMore || this.#ledger.hasFinished) continue;
      if (this.#isLeaving && this.#runs.size === 0) return this.#giveUpSeat(seat);
      if (this.#runs.size > 0) {
        await this.#untilDue(woken, at);
      } else if (await this.#rest(woken, seat, at)) {
        return;
      }
    }
  }

  /**
   * Waits for something to happen, or for a job that failed to be tried again. By the time at which
   * jobs were claimed: what came due since then would be seen neither there nor here.
   */
  async #untilDue(woken: Promise<void>, at: number): Promise<void> {
    const { store } = this.#options;
    const dueIn = this.#mayBeDelayed
      ? await store.read((tx) => nextTryIn(tx, QUEUE, at))
      : undefined;
    if (dueIn === undefined) this.#mayBeDelayed = false;
    await (dueIn === undefined ? woken : isWokenWithin(woken, Math.min(dueIn, LOOK_MS)));
  }

  /** Waits for work; true if there was none for long enough and the seat is given up. */
  async #rest(woken: Promise<void>, seat: Lease, at: number): Promise<boolean> {
    const { store, idleMs } = this.#options;
    this.#sweep();
    this.#clean();
    const dueIn = await store.read((tx) => nextTryIn(tx, QUEUE, at));
    if (dueIn !== undefined) {
      await isWokenWithin(woken, Math.min(dueIn, LOOK_MS));
      return false;
    }
    this.#options.awake?.end();
    return (await isWokenWithin(woken, idleMs)) ? false : this.#leaveIfIdle(seat);
  }

  async #leaveIfIdle(seat: Lease): Promise<boolean> {
    await this.#cleaner.clean();
    const found = await this.#ledger.claimOrLeave(seat);
    if (found === 'left') return true;
    if (found !== 'wait') this.#start(found);
    return false;
  }

  async #giveUpSeat(seat: Lease): Promise<void> {
    await this.#options.store
      .write('durable', (tx) => releaseLease(tx, seat))
      .catch((error: unknown) => {
        if (!isLost(error)) throw error;
      });
  }

  /** Says what has ended and takes what is next. */
  async #advance(): Promise<Advance> {
    const advance = await this.#ledger.advance(!this.#isLeaving);
    const { settled, claimed } = advance;
    if (settled.some(({ run }) => run.claimed.git)) this.#clean();
    for (const { run } of settled) this.#forget(run);
    for (const each of claimed) this.#start(each);
    if (advance.hasEnded) this.#options.onPlansEnded?.();
    this.#mayBeDelayed ||= settled.some(({ result }) => result.kind === 'failed');
    return advance;
  }

  #forget(run: JobRun): void {
    const { claimed } = run;
    this.#options.onPoint?.('settled', claimed.job.id);
    this.#holding.drop(claimed.claim.lease);
    this.#runs.delete(claimed.attempt.id);
  }

  #start(claimed: Claimed): void {
    const { store, logs, sealer, folder, graceMs, awake, onPoint, log } = this.#options;
    onPoint?.('claimed', claimed.job.id);
    awake?.begin();
    const lost = this.#holding.keep(claimed.claim.lease);
    const run = new JobRun(claimed, {
      store,
      logs,
      sealer,
      folder,
      graceMs,
      git: this.#git,
      onStart: (_, pid) => this.#starts.add(claimed, pid),
      onPoint: (point) => onPoint?.(point, claimed.job.id),
    });
    this.#runs.set(claimed.attempt.id, run);
    this.#sweeper.dirty();
    lost.addEventListener('abort', () => run.stop('stop', 0));
    if (this.#isLeaving) run.stop('release');
    run.run().then(
      (result) => {
        this.#ledger.add(run, result);
        this.#wakeUp();
      },
      (error: unknown) => log.write('error', `a job got lost: ${describeError(error)}`),
    );
  }

  #wakeUp(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#wake();
  }

  #stopAsked(): void {
    this.#options.store
      .read((tx) => stopRequests(tx))
      .then((ids) => {
        for (const run of this.#runs.values())
          if (ids.has(run.claimed.claim.work.id)) run.stop('stop');
      })
      .catch((error: unknown) => this.#options.log.write('warn', `cannot read stops: ${error}`));
  }

  #wakeToLook(): void {
    this.#lost
      .expire()
      .then(() => this.#lost.reap())
      .catch((error: unknown) => this.#options.log.write('warn', `cannot look: ${error}`));
    this.#sweep();
    this.#git.conflicts
      .look()
      .catch((error: unknown) => this.#options.log.write('warn', `cannot look: ${error}`));
    // Asked for while nobody listened.
    this.#stopAsked();
  }

  #clean(): void {
    this.#cleaner
      .clean()
      .catch((error: unknown) => this.#options.log.write('warn', `cannot clean up: ${error}`));
  }

  #sweep(): void {
    this.#sweeper
      .sweep()
      .catch((error: unknown) => this.#options.log.write('warn', `cannot sweep: ${error}`));
  }
}

/** `false` if the time is over first. */
async function isWokenWithin(woken: Promise<void>, ms: number): Promise<boolean> {
  const over = new AbortController();
  const late = pause(ms, false, { signal: over.signal }).catch(() => false);
  const isWoken = await Promise.race([woken.then(() => true), late]);
  over.abort();
  return isWoken;
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw stateUnwritable(folder, error);
  }
}
