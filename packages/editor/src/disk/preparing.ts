import { accessSync, constants } from 'node:fs';
import { protectedPlace } from '@baton/core';
import { ProtectedNames } from '@baton/folders';
import type { FileWrite, Move } from '../edits/changing.ts';
import type { Journal, JournalMove, JournalWrite, Plan, Rights } from './journal.ts';
import { Names } from './names.ts';
import { folderOf, inFolder, isPlain, moved, nameOf } from './paths.ts';
import { isSameEntry } from './same-entry.ts';
import type { Site } from './site.ts';
import { naming, Stopped } from './stopped.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

interface Heading {
  readonly id: string;
  readonly undoes?: string | undefined;
  /** Of all contents before and after. */
  readonly maxBytes: number;
}

/** Checks that a change can be done, without doing any of it. */
export async function prepare(site: Site, plan: Plan, heading: Heading): Promise<Journal> {
  const { id, undoes, maxBytes } = heading;
  requirePlain(plan);
  requireUnprotected(site.files, plan);
  requireSize(plan, maxBytes);
  const preparing = new Preparing(site, id);
  const writes = await preparing.writes(plan.writes);
  const moves = await preparing.moves(plan.moves);
  preparing.requireAll();
  const { workspace } = site.files;
  return { id, workspace, title: plan.title, undoes, writes, moves, left: [] };
}

class Preparing {
  readonly #site: Site;
  readonly #id: string;
  readonly #names: Names;
  readonly #changed: string[] = [];
  readonly #taken: string[] = [];

  constructor(site: Site, id: string) {
    this.#site = site;
    this.#id = id;
    this.#names = new Names(site.files);
  }

  async writes(planned: Plan['writes']): Promise<JournalWrite[]> {
    const writes: JournalWrite[] = [];
    await this.#each(planned, (write, index) => {
      const checked = naming(write.file, () => this.#check(write, index));
      if (checked) writes.push(checked);
    });
    return writes;
  }

  async moves(planned: Plan['moves']): Promise<JournalMove[]> {
    const moves: JournalMove[] = [];
    await this.#each(planned, (move) => {
      naming(move.from, () => this.#requireMovable(move));
      const make = naming(move.to, () => this.#makeWay(move));
      this.#names.move(move);
      moves.push({ remove: [], ...move, make });
    });
    return moves;
  }

  requireAll(): void {
    if (this.#changed.length > 0) throw new Stopped(this.#changed, 'changed');
    if (this.#taken.length > 0) throw new Stopped(this.#taken, 'taken');
  }

  async #each<Item>(
    items: readonly Item[],
    work: (item: Item, index: number) => void,
  ): Promise<void> {
    const { turns } = this.#site;
    for (const [index, item] of items.entries()) {
      work(item, index);
      if (turns.isOver) await turns.next();
    }
  }

  /** `undefined` if nothing is to be done. */
  #check(write: Plan['writes'][number], index: number): JournalWrite | undefined {
    const rights = this.#rightsOf(write) ?? write.rights;
    if (isSame(write)) return undefined;
    const folder = folderOf(write.file);
    const make = this.#names.makeFolders(folder);
    const temporary = inFolder(this.#nearest(folder), `.baton-${this.#id}-${index}`);
    if (write.before === undefined) this.#names.make(write.file);
    if (write.after === undefined) this.#names.remove(write.file);
    return { remove: [], ...write, rights, make, temporary };
  }

  /** Those of the file that is there. */
  #rightsOf({ file, before, after }: FileWrite): Rights | undefined {
    const { files } = this.#site;
    const stat = files.look(file);
    if (stat?.isDirectory()) throw new Stopped([file], { code: 'EISDIR' });
    if (stat && !stat.isFile()) throw new Stopped([file], 'irregular');
    if (!files.holds(file, before)) this.#changed.push(file);
    if (!stat) return undefined;
    // A file is replaced, for which its folder alone would have to be writable.
    if (after) files.within(folderOf(file), (at) => accessSync(at(nameOf(file)), constants.W_OK));
    return { mode: stat.mode, uid: stat.uid, gid: stat.gid };
  }

  /** The nearest folder that exists: none that is missing can be another file system. */
  #nearest(folder: string): string {
    let nearest = folder;
    while (nearest !== '' && !this.#names.isFound(nearest)) nearest = folderOf(nearest);
    return nearest;
  }

  #requireMovable({ from, to }: Move): void {
    if (moved(to, { from, to: '' }) !== undefined) throw new Stopped([from], 'into-itself');
    const kind = this.#names.kindOf(from);
    if (kind === 'irregular') throw new Stopped([from], 'irregular');
    if (kind === 'missing') this.#changed.push(from);
  }

  #makeWay(move: Move): string[] {
    const isFree = this.#names.isFree(move.to) || isSameEntry(this.#site.files, move);
    if (!isFree) this.#taken.push(move.to);
    return this.#names.makeFolders(folderOf(move.to));
  }
}

function pathsOf({ writes, moves }: Plan): string[] {
  return [...writes.map(({ file }) => file), ...moves.flatMap(({ from, to }) => [from, to])];
}

/** By the names in a path, by where it really is, and by links that lead there. */
function requireUnprotected(files: WorkspaceFiles, plan: Plan): void {
  const folders = new Map<string, string>();
  const names = new ProtectedNames(files.workspace);
  for (const file of pathsOf(plan)) {
    const folder = folderOf(file);
    const real = folders.get(folder) ?? files.realFolder(folder);
    folders.set(folder, real);
    const places = [file, inFolder(real, nameOf(file))];
    for (const place of places)
      if (place !== plan.permits && protectedPlace(place)) throw new Stopped([place], 'protected');
    const byLink = file === plan.permits ? undefined : names.of(places[1] ?? file);
    if (byLink) throw new Stopped([byLink.name], 'protected');
  }
}

function requirePlain(plan: Plan): void {
  const paths = pathsOf(plan);
  const outside = paths.filter((file) => !isPlain(file));
  if (outside.length > 0) throw new Stopped(outside, 'outside');
}

function requireSize({ writes }: Plan, maxBytes: number): void {
  let bytes = 0;
  for (const { before, after } of writes) bytes += (before?.length ?? 0) + (after?.length ?? 0);
  if (bytes > maxBytes)
    throw new Stopped(
      writes.map(({ file }) => file),
      'too-large',
    );
}

function isSame({ before, after }: FileWrite): boolean {
  return before && after ? before.equals(after) : before === after;
}
