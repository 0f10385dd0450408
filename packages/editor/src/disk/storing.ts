import { close, fsync, writeFile } from 'node:fs';
import { promisify } from 'node:util';
import { atOnce } from './at-once.ts';
import { isOutside, stoppedAt } from './stopped.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

const closeFile = promisify(close);
export const storeFile = promisify(fsync);
export const writeAll = promisify<number, Uint8Array, void>(writeFile);

/** Has it reach the disk after some work, and closes it in any case. */
export async function store(opened: number, work?: () => void | Promise<void>): Promise<void> {
  try {
    await work?.();
    await storeFile(opened);
  } finally {
    await closeFile(opened);
  }
}

/** Has names in folders of the workspace reach the disk. Windows does so by itself. */
export async function storeFolders(
  files: WorkspaceFiles,
  folders: ReadonlySet<string>,
): Promise<void> {
  if (process.platform === 'win32') return;
  await atOnce([...folders], async (folder) => {
    try {
      await store(files.openFolder(folder));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // What has been moved or removed since is stored with the folder it was in.
      const isGone = code === 'ENOENT' || code === 'ENOTDIR' || isOutside(error);
      if (!isGone) throw stoppedAt(folder, error);
    }
  });
}
