import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** It ends by itself, should nobody end it. */
const MOST_SWAPS = 5_000_000;

/** What is there all the time: first a copy of `inside`, then a link to `outside`, and so on. */
const SWAP_FILE = `
  const next = target + '.next';
  swap = () => {
    fs.symlinkSync(outside, next);
    fs.renameSync(next, target);
    fs.linkSync(inside, next);
    fs.renameSync(next, target);
  };`;

/** Folders cannot be replaced in one step: for a moment there is none, and both stay for longer. */
const SWAP_FOLDER = `
  const stay = () => {
    for (let look = 0; look < 5; look++) fs.statSync(target);
  };
  fs.symlinkSync(outside, target + '.link');
  fs.renameSync(inside, target);
  swap = () => {
    fs.renameSync(target, inside);
    fs.renameSync(target + '.link', target);
    stay();
    Atomics.wait(pause, 0, 0, Number(insideMs) / 3);
    fs.renameSync(target, target + '.link');
    fs.renameSync(inside, target);
    stay();
    Atomics.wait(pause, 0, 0, Number(insideMs));
  };`;

const script = (prepare: string) => `
  const fs = require('node:fs');
  const [target, inside, outside, insideMs] = process.argv.slice(1);
  const pause = new Int32Array(new SharedArrayBuffer(4));
  let swap;
  ${prepare}
  for (let count = 1; count <= ${MOST_SWAPS}; count++) {
    swap();
    if (count % (Number(insideMs) > 0 ? 1 : 100) === 0) fs.writeSync(1, count + '\\n');
  }`;

/** A process that exchanges a file or a folder for a link to another one, as fast as it can. */
export class Swapper implements AsyncDisposable {
  readonly #child;
  readonly #lines;
  #swaps = 0;
  #errors = '';

  /**
   * `inside` lies on the same disk as `target`; of a folder it is the folder itself, which stays
   * for `insideMs`, and the other for a third of it, so that longer work can get to its end.
   */
  constructor(
    what: 'file' | 'folder',
    target: string,
    inside: string,
    outside: string,
    insideMs = 0,
  ) {
    const code = script(what === 'file' ? SWAP_FILE : SWAP_FOLDER);
    const args = [target, inside, outside, String(insideMs)];
    this.#child = spawn(process.execPath, ['-e', code, ...args]);
    this.#lines = createInterface({ input: this.#child.stdout });
    this.#lines.on('line', (line) => {
      this.#swaps = Number(line);
    });
    this.#child.stderr.on('data', (part) => {
      this.#errors += part;
    });
  }

  get swaps(): number {
    return this.#swaps;
  }

  /** Waits until it is at work. */
  async started(): Promise<void> {
    await Promise.race([once(this.#lines, 'line'), once(this.#child, 'exit')]);
    if (this.#child.exitCode !== null) throw new Error(this.#errors);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) throw new Error(`it has ended early:\n${this.#errors}`);
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}
