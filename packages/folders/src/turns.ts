import { setImmediate as nextTurn } from 'node:timers/promises';

/** Others get a turn after so much work. */
const TURN_MS = 15;

/** Long work in short turns, so that the process answers others meanwhile. */
export class Turns {
  readonly #now: () => number;
  readonly #turnMs: number;
  #started: number;

  constructor(now: () => number, turnMs = TURN_MS) {
    this.#now = now;
    this.#turnMs = turnMs;
    this.#started = now();
  }

  get isOver(): boolean {
    return this.#now() - this.#started > this.#turnMs;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#started = this.#now();
  }
}
