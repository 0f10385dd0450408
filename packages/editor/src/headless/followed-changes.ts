import type { Change, Changing } from '../edits/changing.ts';
import type { Workbench } from './workbench.ts';

/** Changes that language servers look at when they are made, not when they are asked next. */
export class FollowedChanges implements Changing {
  readonly #changing: Changing;
  readonly #bench: Workbench;

  constructor(changing: Changing, bench: Workbench) {
    this.#changing = changing;
    this.#bench = bench;
  }

  apply(change: Change): Promise<string> {
    const { writes, moves } = change;
    const files = moves.length > 0 ? [] : writes.map(({ file }) => file);
    return this.#followed(this.#changing.apply(change), files);
  }

  undo(id: string): Promise<Change> {
    return this.#followed(this.#changing.undo(id), []);
  }

  #followed<Result>(changing: Promise<Result>, files: readonly string[]): Promise<Result> {
    this.#bench.follow(changing, files);
    return changing;
  }
}
