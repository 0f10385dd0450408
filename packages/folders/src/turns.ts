import { setImmediate as nextTurn } from 'node:timers/promises';

/** Others get a turn after so much work. */
const TURN_MS = 15;

/** Long work in short turns, so that the process answers others meanwhile. */
export class Turns {
  readonly #now: () => number;
  #started: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#started = now();
  }

  get isOver(): boolean {
    return this.#now() - this.#started > TURN_MS;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#started = this.#now();
  }
}
