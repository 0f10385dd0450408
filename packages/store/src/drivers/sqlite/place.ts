import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { BatonError } from '@baton/core';
import type { Binding } from './binding.ts';
import { Connection } from './connection.ts';
import { explainFile, storeCorrupt } from './failure.ts';
import { refuseLostLog } from './lost-log.ts';
import { realPath } from './store-files.ts';

/** "BATN": tells our file from any other SQLite database. */
export const APPLICATION_ID = 0x4241544e;

const NETWORK_FILE_SYSTEMS =
  /^(nfs\d?|cifs|smb\d?|smbfs|afs|ncpfs|9p|ceph|lustre|gfs2|ocfs2|vboxsf|davfs|fuse\.(sshfs|rclone|s3fs|glusterfs|davfs2|vmhgfs-fuse|cifs|nfs|gcsfuse|curlftpfs))$/;

/**
 * The file of the store, made if it is not there. It comes into being complete and in one step:
 * so an empty file is always damage, and is never taken for a new store.
 */
export function prepareFile(binding: Binding, file: string, mountTable = readMountTable()): void {
  try {
    prepare(binding, file, mountTable);
  } catch (error) {
    throw explainFile(error, file);
  }
}

function prepare(binding: Binding, file: string, mountTable: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  refuseNetwork(file, mountTable);
  // In this order: another process may be making the store, first the file and then its WAL. For
  // the same reason neither is ever removed here, and SQLite can do with what an old one has left.
  const isWalUsed = hasChanges(file);
  const found = look(file);
  if (found && !found.isFile()) throw storeCorrupt(file, 'it is not a file');
  if (found?.size === 0) throw storeCorrupt(file, 'the file is empty');
  if (found) {
    refuseLostLog(file, realPath(file));
    return;
  }
  if (isWalUsed) {
    throw storeCorrupt(file, `the file is gone, but ${file}-wal still holds changes to it`);
  }
  create(binding, file);
}

/**
 * SQLite takes what is missing in the last page for zeros, and those may pass for shorter data.
 * It is asked for the length: to open the file ourselves and close it would end SQLite's locks.
 */
export function refuseCutOff(connection: Connection, file: string): void {
  if (hasChanges(file)) return; // Then the end may still be in the WAL.
  const pages = Number(connection.value('pragma page_count'));
  const expected = pages * Number(connection.value('pragma page_size'));
  const size = look(file)?.size ?? 0;
  // Somebody may have begun to write in the meantime.
  if (size >= expected || hasChanges(file)) return;
  throw storeCorrupt(file, `it ends after ${size} of ${expected} bytes`);
}

function hasChanges(file: string): boolean {
  // SQLite names the log after the file itself, wherever links lead to it from.
  return (look(`${realPath(file)}-wal`)?.size ?? 0) > 0;
}

function create(binding: Binding, file: string): void {
  const unfinished = `${file}.${process.pid}-${crypto.randomUUID()}.new`;
  try {
    const connection = new Connection(binding, unfinished, { readOnly: false });
    try {
      connection.exec(
        // The mode comes last: what is in a WAL may not get into the file, and closing says nothing.
        `pragma auto_vacuum = incremental; pragma application_id = ${APPLICATION_ID}; pragma journal_mode = wal`,
      );
    } finally {
      connection.close();
    }
    chmodSync(unfinished, 0o600);
    // Whoever comes second finds the file of the first.
    linkSync(unfinished, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(unfinished + end, { force: true });
  }
}

export function look(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw explainFile(error, file);
  }
}

/** SQLite's shared memory works between the processes of one machine only. */
function refuseNetwork(file: string, mountTable: string): void {
  const kind = fileSystemOf(realpathSync(path.dirname(file)), mountTable);
  if (!NETWORK_FILE_SYSTEMS.test(kind) && !file.startsWith('\\\\')) return;
  throw new BatonError(
    'store_on_network',
    `The store ${file} is on a network file system (${kind || 'a UNC path'}), where several processes would damage it.`,
    'Name a folder on a local disk with BATON_STATE, the same for every client.',
  );
}

export function readMountTable(): string {
  if (process.platform !== 'linux') return '';
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return ''; // Without /proc there is nothing to ask.
  }
}

/** The type of the file system that a folder is on, from Linux's mountinfo; '' if unknown. */
export function fileSystemOf(folder: string, mountTable: string): string {
  let found = { length: -1, kind: '' };
  for (const line of mountTable.split('\n')) {
    const [mount = '', rest = ''] = line.split(' - ');
    // Spaces and such stand as octal escapes.
    const point = (mount.split(' ')[4] ?? '').replace(/\\(\d{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    const below = point === '/' ? '/' : `${point}/`;
    const contains = point !== '' && `${folder}/`.startsWith(below);
    // Of two at the same place the later one is on top.
    if (contains && point.length >= found.length) {
      found = { length: point.length, kind: rest.split(' ')[0] ?? '' };
    }
  }
  return found.kind;
}
