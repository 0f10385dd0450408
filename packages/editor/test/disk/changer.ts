import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { temporaryFolder } from '@baton/testkit';
import { buildSync } from 'esbuild';
import type { Change } from '../disk-under-test.ts';
import type { Act, Answer, ChangerOptions } from './programs/changer.ts';
import type { TestDisk } from './test-disk.ts';

/** A program that changes files, for what only a process of its own can go through. */
export class Changer implements Disposable {
  readonly file: string;
  readonly #folder = temporaryFolder();

  constructor() {
    this.file = path.join(this.#folder.path, 'changer.mjs');
    buildSync({
      entryPoints: [path.join(import.meta.dirname, 'programs/changer.ts')],
      outfile: this.file,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'warning',
    });
  }

  /** `command` is what starts the process, if it is not this Node.js alone. */
  async run(
    { workspace, folder }: Pick<TestDisk, 'workspace' | 'folder'>,
    acts: readonly Act[],
    {
      command = [],
      ...options
    }: Partial<ChangerOptions> & { readonly command?: readonly string[] } = {},
  ): Promise<Answer[]> {
    const input: ChangerOptions = { workspace, folder, acts, ...options };
    const [program = '', ...args] = [...command, process.execPath, this.file];
    const child = spawn(program, args, {
      // Faults are counted for each thread.
      env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
    });
    child.stdin.end(JSON.stringify(input));
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    // Nothing has been tested then.
    if (errors !== '') throw new Error(errors);
    const lines = output.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as Answer);
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

export function applyAct({ title, writes, moves }: Change): Act {
  const base64 = (contents: Buffer | undefined) => contents?.toString('base64') ?? null;
  return {
    do: 'apply',
    change: {
      ...{ title, moves },
      writes: writes.map(({ file, before, after }) => ({
        file,
        before: base64(before),
        after: base64(after),
      })),
    },
  };
}

/** Does something with each, a few at a time. */
export async function forEach<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  count = 2,
): Promise<void> {
  for (let index = 0; index < items.length; index += count) {
    await Promise.all(items.slice(index, index + count).map(work));
  }
}
