import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { temporaryFolder } from '@baton/testkit';

/**
 * A file system of its own that can be full or read-only, which only the processes in it see. It
 * is gone with its first process, which lives until its input ends: so nothing outlives the test.
 */
export class Room implements AsyncDisposable {
  /** The folder as the processes inside know it. */
  readonly inside: string;
  /** The same folder for this process. */
  readonly outside: string;
  readonly #enter: readonly string[];
  readonly #leave: () => Promise<void>;

  static async enter({ kilobytes }: { readonly kilobytes: number }): Promise<Room> {
    const folder = temporaryFolder();
    const first = spawn(
      'unshare',
      [
        '--mount',
        'sh',
        '-c',
        'mount -t tmpfs -o "size=$1k" baton "$0" && echo ready && exec cat',
        folder.path,
        String(kilobytes),
      ],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    const leave = async () => {
      first.stdin.end();
      if (first.exitCode === null) await once(first, 'exit');
      folder[Symbol.dispose]();
    };
    const [said] = await Promise.race([once(first.stdout, 'data'), once(first, 'close')]);
    if (String(said).trim() === 'ready' && first.pid)
      return new Room(folder.path, first.pid, leave);
    await leave();
    throw new Error('A file system of our own needs Linux, root and `unshare`');
  }

  constructor(inside: string, pid: number, leave: () => Promise<void>) {
    this.inside = inside;
    this.outside = path.join(`/proc/${pid}/root`, inside);
    this.#enter = ['nsenter', `--target=${pid}`, '--mount'];
    this.#leave = leave;
  }

  /** How a command is started in here. */
  command(...args: readonly string[]): string[] {
    return [...this.#enter, ...args];
  }

  run(...args: readonly string[]): void {
    const [file = '', ...rest] = this.command(...args);
    execFileSync(file, rest);
  }

  remount(how: 'ro' | 'rw'): void {
    this.run('mount', '-o', `remount,${how}`, this.inside);
  }

  resize(kilobytes: number): void {
    this.run('mount', '-o', `remount,size=${kilobytes}k`, this.inside);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#leave();
  }
}
