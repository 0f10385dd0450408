import { chmodSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';

const OPTIONS = { recursive: true, force: true, maxRetries: 3, retryDelay: 50 } as const;

/** Removes a folder with all that is in it. Links are removed, not followed. */
export async function removeTree(folder: string): Promise<void> {
  try {
    await rm(folder, OPTIONS);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    // Some tools write folders in which nothing may be removed, such as caches of modules.
    makeWritable(folder);
    await rm(folder, OPTIONS);
  }
}

function makeWritable(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) makeWritable(path.join(folder, entry.name));
  }
}
