import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  openSync,
  renameSync,
  unlinkSync,
} from 'node:fs';
import { atOnce } from './at-once.ts';
import type { JournalWrite, Rights } from './journal.ts';
import { folderOf, nameOf } from './paths.ts';
import type { Site } from './site.ts';
import { isOutside, naming, namingLater, stoppedAt } from './stopped.ts';
import { storeFile, writeAll } from './storing.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

const NEW_FILE =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
/** Files that are open at once. */
const MOST_OPEN = 256;
const PRIVATE = 0o600;
const USUAL = 0o666;
const ALL_BITS = 0o7777;
/** Without those that let whoever runs a file act as its owner. */
const PLAIN_BITS = 0o777;

/** Writes what files are to hold beside them, with their rights, up to the disk. */
export async function writeTemporaries(site: Site, writes: readonly JournalWrite[]): Promise<void> {
  for (let start = 0; start < writes.length; start += MOST_OPEN) {
    await writeSome(site, writes.slice(start, start + MOST_OPEN));
  }
}

async function writeSome(site: Site, writes: readonly JournalWrite[]): Promise<void> {
  const opened: { readonly file: string; readonly descriptor: number }[] = [];
  try {
    await atOnce(writes, async (write) => {
      const { file, after, rights } = write;
      if (after === undefined) return;
      const descriptor = naming(file, () => create(site.files, write));
      opened.push({ file, descriptor });
      // First: whoever may not read the file must not read it meanwhile either.
      if (rights) naming(file, () => giveRights(descriptor, rights));
      await namingLater(file, () => writeAll(descriptor, after));
      await site.reach('temporary file written');
    });
    // When all are written: the disk stores many at once much sooner than one after another.
    await atOnce(opened, ({ file, descriptor }) => namingLater(file, () => storeFile(descriptor)));
  } finally {
    for (const { descriptor } of opened) closeSync(descriptor);
  }
}

function create(files: WorkspaceFiles, { temporary, rights }: JournalWrite): number {
  removeTemporary(files, temporary);
  return files.within(folderOf(temporary), (pathOf) =>
    openSync(pathOf(nameOf(temporary)), NEW_FILE, rights ? PRIVATE : USUAL),
  );
}

export async function removeTemporaries(
  { files, turns }: Site,
  writes: readonly JournalWrite[],
): Promise<void> {
  for (const { temporary } of writes) {
    try {
      removeTemporary(files, temporary);
    } catch (error) {
      if (!isOutside(error)) throw stoppedAt(temporary, error);
    }
    if (turns.isOver) await turns.next();
  }
}

function removeTemporary(files: WorkspaceFiles, temporary: string): void {
  if (!files.look(temporary)) return;
  files.within(folderOf(temporary), (pathOf) => unlinkSync(pathOf(nameOf(temporary))));
}

/** Puts it in the place of the file. */
export function useTemporary(
  files: WorkspaceFiles,
  { file, temporary }: Pick<JournalWrite, 'file' | 'temporary'>,
): void {
  files.within(folderOf(temporary), (from) =>
    files.within(folderOf(file), (to) => renameSync(from(nameOf(temporary)), to(nameOf(file)))),
  );
}

function giveRights(opened: number, { mode, uid, gid }: Rights): void {
  if (process.platform === 'win32') return;
  const own = fstatSync(opened);
  const isOwned = (own.uid === uid && own.gid === gid) || canGive(opened, uid, gid);
  fchmodSync(opened, mode & (isOwned ? ALL_BITS : PLAIN_BITS));
}

function canGive(opened: number, uid: number, gid: number): boolean {
  try {
    fchownSync(opened, uid, gid);
    return true;
  } catch {
    return false; // Only root may give files away.
  }
}
