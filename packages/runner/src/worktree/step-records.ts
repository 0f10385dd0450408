import { type Claimed, type Phase, type Step, saveSteps } from '@baton/plans/jobs';
import type { Store, Transaction } from '@baton/store';
import { PhaseFailure } from './failure.ts';
import { writeFor } from './fence.ts';

/** What is over sooner need not be seen while it runs. */
const SEEN_AFTER_MS = 100;

export type StepEnd = Partial<
  Pick<Step, 'message' | 'exit_code' | 'commit_id' | 'digest' | 'detail'>
>;

/** The steps of one attempt. They are written down late, so that a quick one costs no write. */
export class StepRecords {
  readonly #store: Store;
  readonly #claimed: Claimed;
  readonly #logEnd: () => number;
  readonly #steps: Step[] = [];
  #saved = 0;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(store: Store, claimed: Claimed, logEnd: () => number) {
    this.#store = store;
    this.#claimed = claimed;
    this.#logEnd = logEnd;
  }

  /** All of them, with those that nobody has written down yet. */
  get all(): readonly Step[] {
    return this.#steps;
  }

  /** Runs one step. What `work` returns is how it ended; if it throws, it has failed. */
  async step<Result>(
    phase: Phase,
    command: string,
    work: (end: (how: StepEnd) => void) => Promise<Result>,
  ): Promise<Result> {
    const position = this.#steps.length;
    const begun: Step = {
      position,
      phase,
      command,
      state: 'running',
      message: '',
      exit_code: null,
      commit_id: null,
      digest: null,
      log_from: this.#logEnd(),
      log_to: null,
      detail: '{}',
      startedAt: this.#store.clock.now(),
      endedAt: null,
    };
    this.#steps.push(begun);
    this.#timer ??= setTimeout(() => this.#saveSoon(), SEEN_AFTER_MS);
    let how: StepEnd = {};
    const end = (state: Step['state'], more: StepEnd) => {
      const now = { log_to: this.#logEnd(), endedAt: this.#store.clock.now() };
      this.#steps[position] = { ...begun, ...how, ...more, state, ...now };
      this.#saved = Math.min(this.#saved, position);
    };
    try {
      const result = await work((more) => {
        how = { ...how, ...more };
      });
      end('succeeded', {});
      return result;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const detail = error instanceof PhaseFailure && error.detail;
      end('failed', { message, ...(detail && { detail: JSON.stringify(detail) }) });
      throw error;
    }
  }

  /** Now, and something else with it: what comes next must not be done twice. */
  async save(
    durability: 'relaxed' | 'durable',
    also: (tx: Transaction) => Promise<void> = async () => {},
  ): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const steps = this.#steps.slice(this.#saved);
    this.#saved = this.#steps.length;
    this.#saving = this.#saving.then(() =>
      writeFor({ store: this.#store, claimed: this.#claimed }, durability, async (tx) => {
        await saveSteps(tx, this.#claimed, steps);
        await also(tx);
      }),
    );
    await this.#saving;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #saveSoon(): void {
    // Only for those who look: the end of the attempt brings all of them.
    this.save('relaxed').catch(() => {
      this.#saving = Promise.resolve();
    });
  }
}
