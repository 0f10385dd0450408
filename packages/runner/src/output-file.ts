import { lstatSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Where an attempt writes its outputs, in the folder for all of them. */
export function outputFile(folder: string, attempt: string): string {
  return path.join(folder, `${attempt}.output`);
}

/** A job can put anything there, and what cannot be removed must not keep its result from being told. */
export function removeOutputs(folder: string, attempt: string): void {
  const file = outputFile(folder, attempt);
  try {
    // Most jobs write none, and to look is cheaper than to remove.
    if (!lstatSync(file, { throwIfNoEntry: false })) return;
    rmSync(file, { recursive: true, force: true });
  } catch {
    // Nobody reads it.
  }
}
