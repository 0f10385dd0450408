import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import path from 'node:path';
import { protectedPlace } from '@baton/core';
import { leadsOutOf, readBytesWithin, whereLeads } from '@baton/folders';
import type { Contents } from '../edits/changing.ts';
import { folderOf, nameOf } from './paths.ts';
import { Stopped } from './stopped.ts';

// A pipe would be waited for. Windows has no such flags.
const FOLDER_FLAGS =
  constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NONBLOCK ?? 0);
const OPENED = '/proc/self/fd';
const SETTINGS_FOLDER = '.vscode';

/** Makes the path of a name in a folder that is certain to be in the workspace. */
type PathOf = (name: string) => string;

/** Files of a workspace, by their path in it. Nothing outside is touched, wherever links lead. */
export class WorkspaceFiles {
  readonly workspace: string;
  readonly #hasDescriptors: boolean;

  /** `workspace` is a real path. Only Linux tells where an opened folder is, and has paths by it. */
  constructor(workspace: string, hasDescriptors = hasDescriptorPaths()) {
    this.workspace = workspace;
    this.#hasDescriptors = hasDescriptors;
  }

  /** Works in the folder that was looked at, even if another one has its path meanwhile. */
  within<Result>(folder: string, work: (pathOf: PathOf) => Result): Result {
    if (!this.#hasDescriptors) return this.#withinReal(folder, work);
    const opened = this.openFolder(folder);
    try {
      return work((name) => `${OPENED}/${opened}/${name}`);
    } finally {
      closeSync(opened);
    }
  }

  /** The caller closes it. */
  openFolder(folder: string): number {
    const full = path.join(this.workspace, folder);
    let opened: number;
    try {
      opened = openSync(full, FOLDER_FLAGS);
    } catch (error) {
      this.#requireNoWayOut(folder);
      throw error;
    }
    try {
      this.#requireInside(
        this.#hasDescriptors ? readlinkSync(`${OPENED}/${opened}`) : realpathSync.native(full),
      );
      return opened;
    } catch (error) {
      closeSync(opened);
      throw error;
    }
  }

  /** Where a folder really is in the workspace, or would be; where a link leads out, as written. */
  realFolder(folder: string): string {
    const real = whereLeads(path.join(this.workspace, folder));
    if (leadsOutOf(this.workspace, real)) return folder;
    return path.relative(this.workspace, real).split(path.sep).join('/');
  }

  isFolder(folder: string): boolean {
    return ifThere(() => this.within(folder, () => true)) ?? false;
  }

  /** What is at a path itself, be it a link. */
  look(file: string): Stats | undefined {
    const find = (pathOf: PathOf) => lstatSync(pathOf(nameOf(file)), { throwIfNoEntry: false });
    return ifThere(() => this.within(folderOf(file), find));
  }

  /** Whether there is just this name, where others may be the same to the file system. */
  hasName(file: string): boolean {
    const list = (pathOf: PathOf) => readdirSync(pathOf('.')).includes(nameOf(file));
    return ifThere(() => this.within(folderOf(file), list)) ?? false;
  }

  holds(file: string, contents: Contents): boolean {
    const stat = this.look(file);
    if (contents === undefined) return stat === undefined;
    // Nothing else is opened: a device may do something then.
    if (!stat?.isFile() || stat.size !== contents.length) return false;
    const read = readBytesWithin(this.workspace, file, {
      maxBytes: contents.length,
      isReal: true,
    });
    if ('bytes' in read) return read.bytes.equals(contents);
    if (read.problem === 'unreadable') throw new Stopped([file], { code: read.code });
    return false;
  }

  /** Elsewhere the path is looked at again, so that a swap is at least noticed. */
  #withinReal<Result>(folder: string, work: (pathOf: PathOf) => Result): Result {
    const real = this.#realPath(folder);
    const result = work((name) => path.join(real, name));
    if (this.#realPath(folder) !== real) throw new Stopped([], 'outside');
    return result;
  }

  #realPath(folder: string): string {
    try {
      const real = realpathSync.native(path.join(this.workspace, folder));
      this.#requireInside(real);
      return real;
    } catch (error) {
      if (!(error instanceof Stopped)) this.#requireNoWayOut(folder);
      throw error;
    }
  }

  #requireInside(real: string): void {
    if (leadsOutOf(this.workspace, real)) throw new Stopped([], 'outside');
    const folder = path.relative(this.workspace, real);
    // It was another folder when the change was checked. Settings are written in this one.
    if (folder !== SETTINGS_FOLDER && protectedPlace(folder)) throw new Stopped([], 'protected');
  }

  /** Whether something outside exists must not show in how it fails. */
  #requireNoWayOut(folder: string): void {
    if (folder === '') return;
    const isLink = (pathOf: PathOf) =>
      lstatSync(pathOf(nameOf(folder)), { throwIfNoEntry: false })?.isSymbolicLink();
    if (ifThere(() => this.within(folderOf(folder), isLink))) throw new Stopped([], 'outside');
  }
}

function ifThere<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function hasDescriptorPaths(): boolean {
  try {
    return process.platform === 'linux' && readdirSync(OPENED).length > 0;
  } catch {
    return false;
  }
}
