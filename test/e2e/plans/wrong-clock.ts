import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { PlanWorld, StartOptions } from './plan-world.ts';

export const HOUR_MS = 60 * 60 * 1000;
export const TEN_YEARS_MS = 10 * 365 * 24 * HOUR_MS;

/** Shifts the wall clock of a process by what a file says, at any time; no other clock. */
const PRELOAD = `
import { readFileSync } from 'node:fs';
const now = Date.now;
const shift = () => Number(readFileSync(process.env.BATON_TEST_CLOCK, 'utf8'));
globalThis.Date = class extends Date {
  constructor(...given) { super(...(given.length === 0 ? [now() + shift()] : given)); }
  static now() { return now() + shift(); }
};
`;

/** The wall clock of the processes that are started with it. */
export class WrongClock {
  readonly #file: string;
  readonly start: StartOptions;

  constructor(world: PlanWorld, name: string, shiftMs: number) {
    const preload = path.join(world.folder, 'shift.mjs');
    writeFileSync(preload, PRELOAD);
    this.#file = path.join(world.folder, `${name}.clock`);
    this.set(shiftMs);
    this.start = { nodeArgs: ['--import', preload], env: { BATON_TEST_CLOCK: this.#file } };
  }

  set(shiftMs: number): void {
    writeFileSync(this.#file, String(shiftMs));
  }
}
