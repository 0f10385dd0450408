import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@baton/testkit';

/**
 * A small file system with a workspace, which only processes started with `command` have. It is
 * gone with its first process, which lives until its input ends: so nothing outlives the test.
 */
export class SmallDisk implements AsyncDisposable {
  readonly workspace: string;
  readonly folder: string;
  /** The same folders for this process. */
  readonly seen: { readonly root: string; readonly workspace: string };
  readonly command: readonly string[];
  readonly #root: string;
  readonly #leave: () => Promise<void>;

  static async mount({ kilobytes }: { readonly kilobytes: number }): Promise<SmallDisk> {
    const folder = temporaryFolder();
    const script = 'mount -t tmpfs -o "size=$1k" baton "$0" && echo ready && exec cat';
    const first = spawn(
      'unshare',
      ['--mount', 'sh', '-c', script, folder.path, String(kilobytes)],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    const leave = async () => {
      first.stdin.end();
      if (first.exitCode === null) await once(first, 'exit');
      folder[Symbol.dispose]();
    };
    const [said] = await Promise.race([once(first.stdout, 'data'), once(first, 'close')]);
    if (String(said).trim() === 'ready' && first.pid) {
      return new SmallDisk(folder.path, first.pid, leave);
    }
    await leave();
    throw new Error('A file system of our own needs Linux, root and `unshare`');
  }

  constructor(root: string, pid: number, leave: () => Promise<void>) {
    this.#root = root;
    this.#leave = leave;
    this.workspace = path.join(root, 'workspace');
    this.folder = path.join(root, 'state');
    const seen = path.join(`/proc/${pid}/root`, root);
    this.seen = { root: seen, workspace: path.join(seen, 'workspace') };
    this.command = ['nsenter', `--target=${pid}`, '--mount'];
    mkdirSync(this.seen.workspace);
  }

  /** Leaves so much room. */
  fill(kilobytes: number): void {
    const filler = path.join(this.seen.root, 'filler');
    rmSync(filler, { force: true });
    const { bavail, bsize } = statfsSync(this.seen.root);
    writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - kilobytes * 1024)));
  }

  remount(how: 'ro' | 'rw'): void {
    const [program = '', ...args] = this.command;
    execFileSync(program, [...args, 'mount', '-o', `remount,${how}`, this.#root]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#leave();
  }
}
