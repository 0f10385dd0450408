import { mkdirSync, rmdirSync } from 'node:fs';
import type { Journal, JournalMove, JournalWrite } from './journal.ts';
import { link, rename, stateOf, unlink } from './moving.ts';
import { folderOf, nameOf } from './paths.ts';
import { patiently } from './patiently.ts';
import type { Site } from './site.ts';
import { namesOf, naming, type Reason, Stopped, stoppedAt } from './stopped.ts';
import { storeFolders } from './storing.ts';
import { removeTemporaries, useTemporary, writeTemporaries } from './temporary-files.ts';

export interface Manner {
  /** What to do about files that somebody else has changed meanwhile. */
  readonly others: 'stop' | 'leave';
  /** Whether all temporary files are certain to be there. */
  readonly isPrepared: boolean;
}

/** What appears while a change is being done. */
const OTHERS_DOING = new Set<Reason>(['taken', 'outside', 'protected']);

/** Does writes and moves, forward or back. What is done already is not done again. */
export class Steps {
  /** What was not done, because somebody else had changed it meanwhile. */
  readonly left = new Set<string>();
  /** Files that may have been replaced. */
  readonly touched: JournalWrite[] = [];
  readonly #site: Site;
  readonly #manner: Manner;

  constructor(site: Site, manner: Manner) {
    this.#site = site;
    this.#manner = manner;
  }

  async writeAll(writes: readonly JournalWrite[]): Promise<void> {
    const { files, turns } = this.#site;
    for (const write of writes) {
      await this.#attempt(write.file, () => this.#write(write));
      if (turns.isOver) await turns.next();
    }
    if (!this.#manner.isPrepared) await removeTemporaries(this.#site, writes);
    this.removeFolders(writes.flatMap(({ remove }) => remove));
    await storeFolders(files, foldersOf(writes));
  }

  async move(move: JournalMove): Promise<void> {
    await this.#attempt(move.from, () => this.#move(move));
    this.removeFolders(move.remove);
    const { from, to, make, remove } = move;
    await storeFolders(this.#site.files, new Set([from, to, ...make, ...remove].map(folderOf)));
  }

  /** The innermost first. What somebody uses stays. */
  removeFolders(folders: readonly string[]): void {
    const { files } = this.#site;
    for (const folder of [...folders].sort((a, b) => b.length - a.length)) {
      try {
        files.within(folderOf(folder), (at) => rmdirSync(at(nameOf(folder))));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        this.#site.log.write('debug', `The folder ${namesOf([folder])} is kept (${code}).`);
      }
    }
  }

  async #attempt(file: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const why = stoppedAt(file, error);
      if (!(why instanceof Stopped && OTHERS_DOING.has(why.reason))) throw why;
      this.#meetOther(file, why);
    }
  }

  async #write(write: JournalWrite): Promise<void> {
    const { files } = this.#site;
    const { file, before, after, make } = write;
    if (!this.#manner.isPrepared) {
      if (files.holds(file, after)) return;
      if (!files.holds(file, before)) {
        this.#meetOther(file);
        return;
      }
    }
    await this.#makeFolders(make);
    if (!this.#manner.isPrepared) await writeTemporaries(this.#site, [write]);
    await patiently(() => this.#replace(write));
    await this.#site.reach('replaced');
  }

  /** In one turn, so that hardly anybody can change the file between the look and the act. */
  #replace(write: JournalWrite): void {
    const { files } = this.#site;
    const { file, before, after, temporary } = write;
    if (!files.holds(file, before)) {
      this.#meetOther(file);
      return;
    }
    this.touched.push(write);
    if (after === undefined) unlink(files, file);
    else if (before !== undefined) useTemporary(files, write);
    else if (link(files, { from: temporary, to: file })) unlink(files, temporary);
  }

  async #move(move: JournalMove): Promise<void> {
    const { files } = this.#site;
    const state = stateOf(files, move);
    if (state === 'after') return;
    if (state === 'other') {
      this.#meetOther(move.from);
      return;
    }
    if (state === 'linked' || (await this.#isLinked(move))) {
      await patiently(() => unlink(files, move.from));
    }
    await this.#site.reach('moved');
  }

  /** A file gets its new name before it loses the old one; a folder has one name only. */
  async #isLinked(move: JournalMove): Promise<boolean> {
    const { files } = this.#site;
    await this.#makeFolders(move.make);
    if (files.look(move.from)?.isDirectory()) {
      await patiently(() => rename(files, move));
      return false;
    }
    const isLinked = await patiently(() => link(files, move));
    await this.#site.reach('linked');
    return isLinked;
  }

  async #makeFolders(folders: readonly string[]): Promise<void> {
    const { files } = this.#site;
    for (const folder of folders) {
      if (files.isFolder(folder)) continue;
      naming(folder, () => files.within(folderOf(folder), (at) => mkdirSync(at(nameOf(folder)))));
      await this.#site.reach('folder made');
    }
  }

  #meetOther(file: string, why = new Stopped([file], 'changed')): void {
    if (this.#manner.others === 'stop') throw why;
    this.left.add(file);
    const name = namesOf([file]);
    this.#site.log.write('warn', `${name} was left alone: somebody else has changed it.`);
  }
}

function foldersOf(writes: Journal['writes']): Set<string> {
  const paths = writes.flatMap(({ file, temporary, make, remove }) => [
    file,
    temporary,
    ...make,
    ...remove,
  ]);
  return new Set(paths.map(folderOf));
}
