import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const BLOCK = 512;
const LOOK_MS = 10;

/** What a folder and all that is in it take on the disk; 0 if there is none. */
export function diskUse(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  const names = stat.isDirectory() ? namesIn(path) : [];
  return names.reduce((sum, name) => sum + diskUse(join(path, name)), stat.blocks * BLOCK);
}

export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Looks all the time how many entries a folder has, and keeps the largest number. */
export class Peak implements Disposable {
  readonly #timer: NodeJS.Timeout;
  #most = 0;

  constructor(folder: string) {
    this.#timer = setInterval(() => {
      this.#most = Math.max(this.#most, namesIn(folder).length);
    }, LOOK_MS);
  }

  get most(): number {
    return this.#most;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
