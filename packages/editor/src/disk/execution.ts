import { escapeLine } from '@baton/core';
import { inverseMove, inverseWrite, type Journal, type JournalWrite } from './journal.ts';
import type { Journals } from './journals.ts';
import { stateOf } from './moving.ts';
import type { Site } from './site.ts';
import { type Manner, Steps } from './steps.ts';
import type { Outcome } from './stopped.ts';
import { removeTemporaries, writeTemporaries } from './temporary-files.ts';

/** One change, from its journal to its end. Whoever runs it has the lock. */
export class Execution {
  readonly #site: Site;
  readonly #journals: Journals;
  readonly #journal: Journal;
  /** What may have to be taken back; another process has to look at all of it. */
  #touched: readonly JournalWrite[];

  constructor(site: Site, journals: Journals, journal: Journal) {
    this.#site = site;
    this.#journals = journals;
    this.#journal = journal;
    this.#touched = journal.writes;
  }

  /** Does all of it, or else says what has become of it. */
  async run(): Promise<{ readonly error: unknown; readonly outcome: Outcome } | undefined> {
    const { id } = this.#journal;
    try {
      await this.#begin();
      await this.forward({ others: 'stop', isPrepared: true });
      return undefined;
    } catch (error) {
      if (this.#journals.has(id, 'forward')) return { error, outcome: await this.turnBack() };
      await this.abandon();
      return { error, outcome: 'nothing' };
    }
  }

  /** Afterwards it can be done without any room, whatever becomes of this process. */
  async #begin(): Promise<void> {
    const { turns, reach } = this.#site;
    const { id, writes } = this.#journal;
    // Before any temporary file: it says where they are.
    await this.#journals.write(this.#journal, turns);
    await reach('journal written');
    await writeTemporaries(this.#site, writes);
    await reach('prepared');
    await this.#journals.turn(id, 'new', 'forward');
    await reach('committed');
  }

  /** Does what has not been done yet. */
  async forward(manner: Manner): Promise<void> {
    const { id, writes, moves } = this.#journal;
    const { reach } = this.#site;
    const steps = new Steps(this.#site, manner);
    if (manner.isPrepared) this.#touched = steps.touched;
    let noted = this.#noted();
    if (noted === 0) {
      await steps.writeAll(writes);
      noted = 1;
      if (moves.length > 0) await this.#journals.note(id, noted);
      await reach('writes noted');
    }
    for (const [index, move] of moves.entries()) {
      if (index < noted - 1) continue;
      await steps.move(move);
      await this.#journals.note(id, index + 2);
      await reach('move noted');
    }
    await reach('settled');
    await this.#finish(steps.left);
    await reach('done');
  }

  /** Takes back what has been done. */
  async turnBack(): Promise<Outcome> {
    const { id } = this.#journal;
    try {
      await this.#noteLastMove();
      await this.#journals.turn(id, 'forward', 'back');
    } catch (error) {
      this.#warn(error);
      if (this.#journals.has(id, 'forward')) return 'finished-later';
    }
    try {
      await this.#site.reach('turned back');
      return (await this.back()).size > 0 ? 'left-alone' : 'nothing';
    } catch (error) {
      this.#warn(error);
      return 'taken-back-later';
    }
  }

  /** Returns what was left alone. */
  async back(): Promise<ReadonlySet<string>> {
    const { id, writes, moves } = this.#journal;
    const steps = new Steps(this.#site, { others: 'leave', isPrepared: false });
    const noted = this.#noted();
    // They may have been made for a move that was not done.
    steps.removeFolders(moves[noted - 1]?.make ?? []);
    for (const [index, move] of [...moves.slice(0, Math.max(0, noted - 1)).entries()].reverse()) {
      await steps.move(inverseMove(move));
      await this.#journals.note(id, index + 1);
      await this.#site.reach('move noted');
    }
    await steps.writeAll(this.#touched.map(inverseWrite).reverse());
    await removeTemporaries(this.#site, writes);
    steps.removeFolders(writes.flatMap(({ make }) => make));
    await this.#site.reach('taken back');
    this.#journals.remove(id, 'progress');
    this.#journals.remove(id, 'back');
    return steps.left;
  }

  /** Nothing has been changed. */
  async abandon(): Promise<void> {
    const { id, writes } = this.#journal;
    await removeTemporaries(this.#site, writes).then(
      () => {
        // Else it was to become the record of a change that is not finished yet.
        if (!this.#journals.has(id, 'forward')) this.#journals.remove(id, 'progress');
        this.#journals.remove(id, 'new');
      },
      (error: unknown) => this.#warn(error), // The journal stays: the next call tries again.
    );
  }

  /** The journal becomes the record. That of an undo takes the place of what it has undone. */
  async #finish(left: ReadonlySet<string>): Promise<void> {
    const { id, undoes, writes, moves } = this.#journal;
    const record = undoes ?? id;
    try {
      if (left.size === 0) await this.#journals.turn(id, 'forward', 'done', record);
      else {
        const done = {
          writes: writes.filter(({ file }) => !left.has(file)),
          moves: moves.filter(({ from }) => !left.has(from)),
        };
        const journal = { ...this.#journal, ...done, left: [...left] };
        await this.#journals.write(journal, this.#site.turns);
        await this.#journals.turn(id, 'new', 'done', record);
        this.#journals.remove(id, 'forward');
      }
    } catch (error) {
      if (!this.#journals.has(record, 'done') || this.#journals.has(id, 'forward')) throw error;
      this.#warn(error); // It is done, though the disk may not know yet.
    }
    this.#journals.remove(id, 'progress');
  }

  #noted(): number {
    return this.#journal.moves.length > 0 ? this.#journals.progressOf(this.#journal.id) : 0;
  }

  /** It may have been done and not noted: on the way back that could not be told any more. */
  async #noteLastMove(): Promise<void> {
    const noted = this.#noted();
    const last = this.#journal.moves[noted - 1];
    const state = last && stateOf(this.#site.files, last);
    if (state === 'after' || state === 'linked') {
      await this.#journals.note(this.#journal.id, noted + 1);
    }
  }

  #warn(error: unknown): void {
    const { id, title } = this.#journal;
    this.#site.log.write(
      'warn',
      `Change ${id} (${escapeLine(title)}): ${escapeLine(String(error))}`,
    );
  }
}
