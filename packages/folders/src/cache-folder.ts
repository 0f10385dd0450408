import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Clock } from '@baton/core';

const DAY_MS = 24 * 60 * 60 * 1000;
/** What takes longer to be written was not finished. */
const UNFINISHED_MS = DAY_MS / 24;

export interface CacheRules {
  /** Whether a file of this name is one of those that are kept. */
  isKept(name: string): boolean;
  /** What nobody has used for so many days is removed. */
  readonly days: number;
}

/**
 * A folder of files that can be made again. Any process may add or replace one at any time, in one
 * step; nothing is lost with them.
 */
export class CacheFolder {
  readonly path: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #rules: CacheRules;

  constructor(folder: string, clock: Pick<Clock, 'now'>, rules: CacheRules) {
    this.path = folder;
    this.#clock = clock;
    this.#rules = rules;
  }

  make(): void {
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
  }

  /** A file for what is not finished yet. */
  newFile(): string {
    return path.join(this.path, `new-${process.pid}-${randomUUID()}`);
  }

  write(file: string, content: string | Uint8Array): void {
    const unfinished = this.newFile();
    try {
      writeFileSync(unfinished, content, { mode: 0o600 });
      renameSync(unfinished, file);
    } catch (error) {
      removeIfPossible(unfinished);
      throw error;
    }
  }

  markAsUsed(file: string): void {
    const now = this.#clock.now();
    if (now - statSync(file).mtimeMs > DAY_MS) utimesSync(file, now / 1000, now / 1000);
  }

  /** Removes what nobody uses any more, and what nobody will finish. */
  tidy(): void {
    const { isKept, days } = this.#rules;
    const now = this.#clock.now();
    for (const name of readdirSync(this.path)) {
      const file = path.join(this.path, name);
      const age = now - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now);
      const isOld = age > (isKept(name) ? days * DAY_MS : UNFINISHED_MS);
      if (isOld || isOfDeadProcess(name)) removeIfPossible(file);
    }
  }
}

/** What somebody reads at this moment cannot be removed everywhere. */
export function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // It is removed another time.
  }
}

/** What it was writing may be secret, and nobody will finish it. */
function isOfDeadProcess(name: string): boolean {
  const pid = /^new-(\d+)-/.exec(name)?.[1];
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
