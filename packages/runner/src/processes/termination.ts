import { setTimeout as pause } from 'node:timers/promises';
import type { LivingProcess } from './living-process.ts';
import { signalGroup, signalProcess } from './process-signals.ts';

const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 100;
/** What KILL has not ended by then hangs in the kernel; waiting longer would not help. */
const GIVE_UP_MS = 5_000;
/**
 * A process that is just being started shows no environment, and one that forks and exits while
 * others are looked at shows in neither place: one look that finds nobody proves nothing.
 */
const EMPTY_LOOKS = 2;

export interface TerminationResult {
  readonly ended: number;
  readonly left: number;
}

/** TERM to everybody once, KILL at the end of the grace, until nobody is found any more. */
export class Termination {
  readonly #find: () => Promise<readonly LivingProcess[]>;
  readonly #group: number | undefined;
  readonly #told = new Set<number>();
  #groupTold = false;
  #lookFault: ErrorOptions = {};

  /** The group is signalled as a whole, which no fork in it escapes. */
  constructor(find: () => Promise<readonly LivingProcess[]>, group?: number) {
    this.#find = find;
    this.#group = group;
  }

  /** At once, without a look: for whoever knows that the group is what it was. */
  tellGroup(): void {
    if (this.#group === undefined || this.#groupTold) return;
    this.#groupTold = true;
    signalGroup(this.#group, 'SIGTERM');
  }

  async tellAll(): Promise<void> {
    this.#tell((await this.#look()) ?? []);
  }

  /** The end of the grace may come nearer while this runs. Rejects if it could never look. */
  async untilGone(killAt: () => number): Promise<TerminationResult> {
    const found = new Set<number>();
    let left: number | undefined;
    let emptyLooks = 0;
    let pauseMs = FIRST_PAUSE_MS;
    while (emptyLooks < EMPTY_LOOKS && performance.now() < killAt() + GIVE_UP_MS) {
      const living = await this.#look();
      if (living) {
        left = living.length;
        emptyLooks = left === 0 ? emptyLooks + 1 : 0;
        for (const { pid } of living) found.add(pid);
        this.#signal(living, killAt());
      }
      pauseMs = nextPause(pauseMs, killAt(), left);
      if (emptyLooks < EMPTY_LOOKS) await pause(pauseMs);
    }
    if (left === undefined) throw new Error('no look at the processes succeeded', this.#lookFault);
    return { ended: found.size - left, left };
  }

  /** Undefined if this machine was too busy for a look: that is not the same as nobody. */
  async #look(): Promise<readonly LivingProcess[] | undefined> {
    try {
      return await this.#find();
    } catch (cause) {
      this.#lookFault = { cause };
      return undefined;
    }
  }

  #signal(living: readonly LivingProcess[], killAt: number): void {
    if (performance.now() < killAt) this.#tell(living);
    else this.#kill(living);
  }

  #tell(living: readonly LivingProcess[]): void {
    // What a process starts after it was told, it starts to clean up.
    const isNews = ({ pid, parent }: LivingProcess) =>
      !this.#told.has(pid) && !this.#told.has(parent);
    const news = living.filter((found) => isNews(found));
    if (living.some((found) => this.#isInGroup(found))) this.tellGroup();
    for (const found of news) if (!this.#isInGroup(found)) signalProcess(found.pid, 'SIGTERM');
    for (const { pid } of living) this.#told.add(pid);
  }

  #kill(living: readonly LivingProcess[]): void {
    if (living.some((found) => this.#isInGroup(found))) signalGroup(this.#group ?? 0, 'SIGKILL');
    for (const found of living) if (!this.#isInGroup(found)) signalProcess(found.pid, 'SIGKILL');
  }

  #isInGroup({ group }: LivingProcess): boolean {
    return group === this.#group;
  }
}

function nextPause(lastMs: number, killAt: number, left: number | undefined): number {
  const untilKill = killAt - performance.now();
  const longer = Math.min(lastMs * 2, LONGEST_PAUSE_MS);
  if (untilKill > 0) return Math.min(longer, untilKill);
  // Who survives a KILL has forked in time: that is a hunt, waiting only gives it more time.
  return left ? FIRST_PAUSE_MS : longer;
}
