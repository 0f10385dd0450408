import { isInTime } from './in-time.ts';
import type { LivingProcess } from './living-process.ts';
import { isGroupEmpty, isThere, signalGroup } from './process-signals.ts';
import { carriersOf, distinct, membersNow } from './process-table.ts';
import { Termination } from './termination.ts';
import { signalTree } from './windows-tree.ts';

const onWindows = process.platform === 'win32';
/** Whoever has nobody to share its output with closes it within a moment of its end. */
const CLOSING_MS = 100;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The processes of a job: its leader, the leader's group, and who left it with the tracking id. */
export class JobFamily {
  readonly #leader: number;
  readonly #ids: ReadonlySet<string>;
  readonly #termination: Termination;
  #killAt = Number.POSITIVE_INFINITY;
  #killTimer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #isLeaderGone = false;

  constructor(leader: number, trackingId: string) {
    this.#leader = leader;
    this.#ids = new Set([trackingId]);
    this.#termination = new Termination(() => this.#find(), leader);
  }

  stop(graceMs: number): void {
    const killAt = performance.now() + graceMs;
    if (this.#isStopped && killAt >= this.#killAt) return;
    this.#killAt = Math.min(this.#killAt, killAt);
    const isFirst = !this.#isStopped;
    this.#isStopped = true;
    // Whoever ends the leftovers sees the new end of the grace.
    if (this.#isLeaderGone) return;
    if (isFirst) this.#tell();
    clearTimeout(this.#killTimer);
    this.#killTimer = setTimeout(() => this.#kill(), Math.min(graceMs, LONGEST_TIMER_MS));
  }

  /** Ends what the leader has left behind, and says how many there were. */
  async endLeftovers(graceMs: number, outputClosed: Promise<unknown>): Promise<number> {
    this.#isLeaderGone = true;
    clearTimeout(this.#killTimer);
    // Windows keeps no trace of whose children they were.
    if (onWindows) return 0;
    if (!this.#isStopped && !this.#hasGroup()) {
      // Who left the group is looked for only if it shows: a look costs more than a small job.
      if (await isInTime(outputClosed, CLOSING_MS)) return 0;
    }
    if (!this.#isStopped) this.#killAt = performance.now() + graceMs;
    try {
      const { ended, left } = await this.#termination.untilGone(() => this.#killAt);
      return ended + left;
    } catch {
      return 0; // The end of a job must be told even where nobody can look for what it left.
    } finally {
      // What still answers are zombies, or forks too quick to be seen.
      if (this.#hasGroup()) signalGroup(this.#leader, 'SIGKILL');
    }
  }

  async #find(): Promise<LivingProcess[]> {
    const members = this.#hasGroup() ? await membersNow(this.#leader) : [];
    // Last, as the quick ones among them have to be signalled at once.
    const carriers = await carriersOf(this.#ids);
    // While the leader lives, a signal to its group reaches the members without a look.
    if (!this.#isLeaderGone) return carriers.filter(({ group }) => group !== this.#leader);
    return distinct([...(this.#hasGroup() ? members : []), ...carriers]);
  }

  /** Our leader is gone for good. Whoever has its number now leads a group of strangers. */
  #hasGroup(): boolean {
    return !isGroupEmpty(this.#leader) && !isThere(this.#leader);
  }

  #tell(): void {
    if (onWindows) {
      void signalTree(this.#leader, 'ask');
      return;
    }
    this.#termination.tellGroup();
    void this.#termination.tellAll();
  }

  #kill(): void {
    if (onWindows) void signalTree(this.#leader, 'force');
    else signalGroup(this.#leader, 'SIGKILL');
  }
}
