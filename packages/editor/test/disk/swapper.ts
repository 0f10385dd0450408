import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { TestDisk } from './test-disk.ts';

/** A process that exchanges `src` for a link out and back as fast as it can. */
export class Swapper implements AsyncDisposable {
  readonly #child;

  static async start(disk: TestDisk): Promise<Swapper> {
    const swapper = new Swapper(disk);
    await once(swapper.#child.stdout, 'data');
    return swapper;
  }

  constructor(disk: TestDisk) {
    const script = `const fs = require('fs');
      const [src, kept, link, outside] = process.argv.slice(1);
      fs.symlinkSync(outside, link);
      fs.writeSync(1, 'ready');
      const stay = () => { for (let look = 0; look < 40; look++) fs.lstatSync(src); };
      for (;;) {
        fs.renameSync(src, kept); fs.renameSync(link, src); stay();
        fs.renameSync(src, link); fs.renameSync(kept, src); stay(); stay(); stay();
      }`;
    const paths = [disk.at('src'), disk.at('kept'), disk.at('link'), disk.outside];
    this.#child = spawn(process.execPath, ['-e', script, ...paths]);
  }

  /** It stands still meanwhile. */
  async pause(work: () => void): Promise<void> {
    this.#child.kill('SIGSTOP');
    const isStopped = () => / T /.test(readFileSync(`/proc/${this.#child.pid}/stat`, 'latin1'));
    await expect.poll(isStopped, { interval: 1 }).toBe(true);
    work();
    this.#child.kill('SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}
