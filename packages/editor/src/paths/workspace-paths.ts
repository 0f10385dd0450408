import { lstatSync, type Stats } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { BatonError, hasControls, requireUnprotected } from '@baton/core';
import { leadsOutOf, whereLeads } from '@baton/folders';

/** Installed packages: nobody edits them by hand. */
const NOT_OURS = 'node_modules';
/** Each folder that is missing is made, one in the other. */
const MOST_FOLDERS = 100;
const DRIVE_OR_SHARE = /^([a-z]:|[\\/]{2})/i;

/** Something in the workspace. */
export interface Existing {
  /** Its real path there, with slashes. */
  readonly file: string;
  readonly isFolder: boolean;
}

/** Understands paths as agents write them: in the workspace, absolute, or as `file:` URIs. */
export class WorkspacePaths {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** A regular file or a folder that is there. Links count as what they lead to. */
  existing(given: string): Existing {
    const file = this.#within(given);
    const stat = look(path.join(this.root, file));
    if (!stat) throw missing(given);
    if (!stat.isFile() && !stat.isDirectory()) throw unusable(given, 'is not a regular file');
    return { file, isFolder: stat.isDirectory() };
  }

  existingFile(given: string): string {
    const { file, isFolder } = this.existing(given);
    if (isFolder) throw unusable(given, 'is a folder');
    return file;
  }

  /** A path that is free; its last name is taken as it is written, also where case is the same. */
  free(given: string, except: Existing): string {
    const full = this.#full(given);
    const folder = this.#inside(path.dirname(full), given);
    const file = path.posix.join(folder, path.basename(full));
    if (isNotOurs(file)) throw outside(given);
    this.#requireUnprotected(full, file);
    if (file.split('/').length > MOST_FOLDERS) throw tooDeep(given);
    const found = look(path.join(this.root, file));
    if (found && !isSame(found, look(path.join(this.root, except.file)))) throw exists(file);
    return file;
  }

  #within(given: string): string {
    const full = this.#full(given);
    const file = this.#inside(full, given);
    if (file === '.' || isNotOurs(file)) throw outside(given);
    this.#requireUnprotected(full, file);
    return file;
  }

  /** As it is written, and as it really is. Links that lead there are looked for once, by the change. */
  #requireUnprotected(full: string, file: string): void {
    if (!leadsOutOf(this.root, full)) requireUnprotected(path.relative(this.root, full));
    requireUnprotected(file);
  }

  #full(given: string): string {
    if (hasControls(given) || /[\t\n]/.test(given)) throw outside(given);
    const written = given.toLowerCase().startsWith('file:') ? pathOfUri(given) : given;
    if (written === undefined || written.trim() === '') throw outside(given);
    if (process.platform !== 'win32' && DRIVE_OR_SHARE.test(written)) throw outside(given);
    return path.resolve(this.root, written);
  }

  /** One error for all that is outside: what is there is nobody's business. */
  #inside(full: string, given: string): string {
    const real = whereLeads(full);
    if (leadsOutOf(this.root, real)) throw outside(given);
    return path.relative(this.root, real).split(path.sep).join('/') || '.';
  }
}

function pathOfUri(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

function isNotOurs(file: string): boolean {
  return file.split('/').some((part) => part.toLowerCase() === NOT_OURS);
}

function look(full: string): Stats | undefined {
  try {
    return lstatSync(full, { throwIfNoEntry: false });
  } catch {
    return undefined; // What may not be looked at is not there for us.
  }
}

function isSame(one: Stats, other: Stats | undefined): boolean {
  return one.ino === other?.ino && one.dev === other.dev;
}

function outside(given: string): BatonError {
  return new BatonError(
    'outside_workspace',
    `${JSON.stringify(given.slice(0, 200))} is no path in the workspace that can be changed.`,
    'Name a file of the workspace by its path there, outside of node_modules.',
  );
}

function missing(given: string): BatonError {
  return unusable(
    given,
    'does not exist',
    'Name a file that exists, by its path in the workspace.',
  );
}

function exists(file: string): BatonError {
  return new BatonError(
    'target_exists',
    `${file} exists already. Nothing was changed.`,
    'Name a path that is free, in full.',
  );
}

function tooDeep(given: string): BatonError {
  return new BatonError(
    'bad_name',
    `${JSON.stringify(given.slice(0, 200))} lies in more than ${MOST_FOLDERS} folders. Nothing was changed.`,
    'Name a shorter path.',
  );
}

function unusable(given: string, what: string, next = 'Name a file with source code.'): BatonError {
  return new BatonError('file_unusable', `${given.slice(0, 200)} ${what}.`, next);
}
