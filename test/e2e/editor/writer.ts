import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** It ends by itself, should nobody end it. */
const MOST_WRITES = 20_000;

const SCRIPT = `
  const fs = require('node:fs');
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const [file, pauseMs] = process.argv.slice(1);
  for (let count = 1; count <= ${MOST_WRITES}; count++) {
    fs.appendFileSync(file, '// ' + count + '\\n');
    fs.writeSync(1, count + '\\n');
    Atomics.wait(pause, 0, 0, Number(pauseMs));
  }`;

/** A process that adds lines to a file: what others have written there meanwhile stays. */
export class Writer implements AsyncDisposable {
  readonly #child;
  readonly #lines;
  #errors = '';
  writes = 0;

  constructor(file: string, pauseMs: number) {
    this.#child = spawn(process.execPath, ['-e', SCRIPT, file, String(pauseMs)]);
    this.#lines = createInterface({ input: this.#child.stdout });
    this.#lines.on('line', (line) => {
      this.writes = Number(line);
    });
    this.#child.stderr.on('data', (part) => {
      this.#errors += part;
    });
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
