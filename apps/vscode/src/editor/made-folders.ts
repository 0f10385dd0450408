import { existsSync, rmdirSync } from 'node:fs';
import path from 'node:path';

/** The folders that have to be made for these paths, the innermost first. */
export function makesFolders(files: readonly string[]): string[] {
  const missing = new Set<string>();
  for (const file of files) {
    let folder = path.dirname(file);
    while (!existsSync(folder)) {
      missing.add(folder);
      folder = path.dirname(folder);
    }
  }
  return [...missing].sort((a, b) => b.length - a.length);
}

export function removeIfEmpty(folders: readonly string[]): void {
  for (const folder of folders) {
    try {
      rmdirSync(folder);
    } catch {
      // Somebody has put something there.
    }
  }
}
