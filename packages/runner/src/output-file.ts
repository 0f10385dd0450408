import { rmSync } from 'node:fs';
import path from 'node:path';

/** Where an attempt writes its outputs, in the folder for all of them. */
export function outputFile(folder: string, attempt: string): string {
  return path.join(folder, `${attempt}.output`);
}

/** A job can put anything there, and what cannot be removed must not keep its result from being told. */
export function removeOutputs(folder: string, attempt: string): void {
  try {
    rmSync(outputFile(folder, attempt), { recursive: true, force: true });
  } catch {
    // Nobody reads it.
  }
}
