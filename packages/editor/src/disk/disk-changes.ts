import { BatonError, type Clock, type Ids, type Log, truncate } from '@baton/core';
import { Turns } from '@baton/folders';
import type { Change, Changing } from '../edits/changing.ts';
import { Execution } from './execution.ts';
import { inverseOf, type Journal, type Plan } from './journal.ts';
import { Journals } from './journals.ts';
import type { OnPoint } from './points.ts';
import { prepare } from './preparing.ts';
import { recover } from './recovering.ts';
import type { Site } from './site.ts';
import { namesOf, type Outcome, reportOf } from './stopped.ts';
import { WorkspaceFiles } from './workspace-files.ts';

export interface DiskChangesOptions {
  /** Its real path. */
  readonly workspace: string;
  /** Where journals and records of this workspace are kept; it is made when it is needed. */
  readonly folder: string;
  /** Runs one work at a time among all processes, and is free again when its holder dies. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly onPoint?: OnPoint | undefined;
}

/** Of all contents before and after: the record has to find room among others. */
const MOST_AT_ONCE = 128 * 1024 * 1024;
const ID = /^[\w-]{1,64}$/;

/** Changes files on disk by a journal: all of them or none, even if the process is killed. */
export class DiskChanges implements Changing {
  readonly #options: DiskChangesOptions;
  readonly #files: WorkspaceFiles;
  readonly #journals: Journals;

  constructor(options: DiskChangesOptions) {
    this.#options = options;
    this.#files = new WorkspaceFiles(options.workspace);
    this.#journals = new Journals(options.folder, options.clock);
  }

  async apply(change: Change): Promise<string> {
    return this.#exclusively(async (site) => {
      const id = await this.#run(site, change);
      this.#tidy();
      return id;
    });
  }

  async undo(id: string): Promise<Change> {
    return this.#exclusively(async (site) => {
      const record = await this.#recordOf(site, id);
      const plan = inverseOf(record);
      await this.#run(site, plan, id).catch((error: unknown) => {
        throw changedSince(error);
      });
      return {
        title: plan.title,
        writes: plan.writes.map(({ file, before, after }) => ({ file, before, after })),
        moves: plan.moves.map(({ from, to }) => ({ from, to })),
      };
    });
  }

  /** Puts right what processes have left that were killed. So does every other call. */
  async recover(): Promise<void> {
    await this.#exclusively(async () => {});
  }

  async #exclusively<Result>(work: (site: Site) => Promise<Result>): Promise<Result> {
    const { clock, log, onPoint } = this.#options;
    return this.#options.exclusively(async () => {
      const turns = new Turns(() => clock.monotonic());
      const site: Site = {
        ...{ files: this.#files, log, turns },
        reach: (point) => onPoint?.(point),
      };
      await this.#recover(site);
      return work(site);
    });
  }

  async #recover(site: Site): Promise<void> {
    let outcome: Outcome = 'nothing';
    try {
      this.#journals.make();
      outcome = 'earlier';
      await recover(site, this.#journals);
    } catch (error) {
      throw reportOf(error, outcome);
    }
  }

  async #run(site: Site, plan: Plan, undoes?: string): Promise<string> {
    const id = this.#options.ids.next();
    const journal = await prepare(site, plan, { id, undoes, maxBytes: MOST_AT_ONCE }).catch(
      (error: unknown) => {
        throw reportOf(error, 'nothing');
      },
    );
    await site.reach('checked');
    const failure = await new Execution(site, this.#journals, journal).run();
    if (failure) throw reportOf(failure.error, failure.outcome);
    return id;
  }

  async #recordOf({ turns }: Site, id: string): Promise<Journal> {
    // It is a part of a path from here on.
    const record = ID.test(id) ? await this.#journals.read(id, 'done', turns) : undefined;
    if (record?.workspace !== this.#options.workspace || record.id !== id) {
      throw undoUnknown(id, record?.undoes === id);
    }
    return record;
  }

  /** The change is done, whatever becomes of this. */
  #tidy(): void {
    try {
      this.#journals.tidy();
    } catch (error) {
      this.#options.log.write('warn', `Records of changes cannot be tidied: ${String(error)}`);
    }
  }
}

function undoUnknown(id: string, isUndone: boolean): BatonError {
  const name = namesOf([truncate(id, 80)]);
  return new BatonError(
    'undo_unknown',
    isUndone
      ? `The change ${name} was taken back already.`
      : `There is no change ${name} in this workspace that can be taken back.`,
    'Give the id that a change of this workspace has returned: it counts once, for 30 days and the last 100 changes. Else use version control.',
  );
}

/** Of an undo, which computes nothing anew. */
function changedSince(error: unknown): unknown {
  const isConflict =
    error instanceof BatonError && ['files_changed', 'target_exists'].includes(error.code);
  if (!isConflict) return error;
  const next = 'Take back what was changed later first, or change these files by hand.';
  return new BatonError('files_changed', error.message, next, { cause: error });
}
