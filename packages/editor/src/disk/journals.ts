import {
  existsSync,
  ftruncateSync,
  futimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { BatonError, type Clock } from '@baton/core';
import { removeIfPossible, type Turns } from '@baton/folders';
import type { Journal } from './journal.ts';
import { decodeJournal, encodeJournal } from './journal-bytes.ts';
import { naming, namingLater, stoppedAt } from './stopped.ts';
import { store, writeAll } from './storing.ts';

/**
 * How far a change is, as the end of its file's name: `new` has changed nothing yet, `forward` has
 * to be done, `back` has to be taken back, and `done` can be undone.
 */
export type Stage = 'new' | 'forward' | 'back' | 'done';

const NAME = /^([\w-]{1,64})\.(new|forward|back|done|progress)$/;
const MOST_RECORDS = 100;
const LONGEST_MS = 30 * 24 * 60 * 60 * 1000;
const MOST_BYTES = 256 * 1024 * 1024;

/** The private folder with what is to become, and has become, of changes. */
export class Journals {
  readonly #folder: string;
  readonly #clock: Clock;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  make(): void {
    naming(this.#folder, () => makeFolder(this.#folder));
  }

  pathOf(id: string, stage: Stage | 'progress'): string {
    return path.join(this.#folder, `${id}.${stage}`);
  }

  idsIn(stage: Stage | 'progress'): string[] {
    const names = readdirSync(this.#folder).map((name) => NAME.exec(name));
    return names.flatMap((name) => (name?.[1] && name[2] === stage ? [name[1]] : [])).sort();
  }

  /** It is new, until it gets another stage. */
  async write(journal: Journal, turns: Turns): Promise<void> {
    const bytes = await encodeJournal(journal, turns);
    const file = this.pathOf(journal.id, 'new');
    removeIfPossible(file);
    await namingLater(file, async () => {
      const opened = openSync(file, 'wx', 0o600);
      await store(opened, async () => {
        await writeAll(opened, bytes);
        // By this time it is kept.
        const now = this.#clock.now() / 1000;
        futimesSync(opened, now, now);
      });
    });
    if (journal.moves.length > 0) await this.note(journal.id, this.progressOf(journal.id));
  }

  /** Throws `journal_damaged` if it is not as it was written; `undefined` if there is none. */
  async read(id: string, stage: Stage, turns: Turns): Promise<Journal | undefined> {
    const file = this.pathOf(id, stage);
    const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw stoppedAt(file, error);
    });
    if (!bytes) return undefined;
    const journal = await decodeJournal(bytes, turns);
    if (journal) return journal;
    throw new BatonError(
      'journal_damaged',
      `The journal ${file} of a change is damaged, or of a newer Baton; nothing was changed.`,
      stage === 'done'
        ? 'This change cannot be taken back any more; use version control instead.'
        : `The change may be half done: look at the differences in version control, and for files that are called .baton-${id}-*. Then remove this journal, and call again.`,
    );
  }

  /** In one step, and up to the disk. What it replaces is gone. */
  async turn(id: string, from: Stage, to: Stage, newId = id): Promise<void> {
    const file = this.pathOf(id, from);
    await namingLater(file, async () => renameSync(file, this.pathOf(newId, to)));
    await this.#store();
  }

  has(id: string, stage: Stage): boolean {
    return existsSync(this.pathOf(id, stage));
  }

  remove(id: string, stage: Stage | 'progress'): void {
    removeIfPossible(this.pathOf(id, stage));
  }

  /** How many steps are noted: one for all writes, and one for each move. */
  progressOf(id: string): number {
    return statSync(this.pathOf(id, 'progress'), { throwIfNoEntry: false })?.size ?? 0;
  }

  /** The number is the size of a file, which cannot be torn. */
  async note(id: string, steps: number): Promise<void> {
    const file = this.pathOf(id, 'progress');
    await namingLater(file, async () => {
      const opened = openSync(file, 'a', 0o600);
      await store(opened, () => ftruncateSync(opened, steps));
    });
  }

  /** Has the names reach the disk. Windows does so by itself. */
  async #store(): Promise<void> {
    if (process.platform === 'win32') return;
    await namingLater(this.#folder, () => store(openSync(this.#folder, 'r')));
  }

  /** Removes records that are too many, too old or too large altogether. */
  tidy(): void {
    const records = this.idsIn('done').map((id) => ({ id, ...this.#sizeAndTime(id) }));
    records.sort((a, b) => b.time - a.time);
    const oldest = this.#clock.now() - LONGEST_MS;
    let bytes = 0;
    for (const [index, { id, size, time }] of records.entries()) {
      bytes += size;
      if (index >= MOST_RECORDS || time < oldest || bytes > MOST_BYTES) this.remove(id, 'done');
    }
  }

  #sizeAndTime(id: string): { readonly size: number; readonly time: number } {
    const stat = statSync(this.pathOf(id, 'done'), { throwIfNoEntry: false });
    return { size: stat?.size ?? 0, time: stat?.mtimeMs ?? 0 };
  }
}

/** Node.js by itself says of a read-only file system only that there is no such folder. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || path.dirname(folder) === folder) throw error;
    makeFolder(path.dirname(folder));
    mkdirSync(folder, { mode: 0o700 });
  }
}
