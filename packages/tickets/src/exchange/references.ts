import type { Reading } from '@baton/store';
import { numberIn, refOf } from '../definition.ts';
import { tables } from '../ticket-repository.ts';
import type { TicketFile } from './ticket-files.ts';

/** What a ticket refers to, by id. */
export interface Links {
  readonly needs: readonly string[];
  readonly related: readonly string[];
  readonly parent: string | undefined;
  readonly duplicateOf: string | undefined;
}

/** What references mean: a ticket among the files first, then one of the workspace. */
export class References {
  readonly #ids = new Map<string, string>();
  /** What nobody knows, for people. */
  readonly problems: string[] = [];

  static async of(tx: Reading, workspace: string, files: readonly TicketFile[]) {
    const rows = await tables(tx)
      .selectFrom('tickets')
      .select(['id', 'number'])
      .where('workspace', '=', workspace)
      .execute();
    const references = new References();
    for (const row of rows) references.#learn(row);
    for (const { id, draft } of files) references.#learn({ id, number: draft.number });
    return references;
  }

  #learn({ id, number }: { readonly id: string; readonly number?: number | undefined }): void {
    this.#ids.set(id, id);
    if (number !== undefined) this.#ids.set(refOf({ number }), id);
  }

  linksOf({ file, draft }: TicketFile): Links {
    const find = (field: string, reference: string) => this.#find(file, field, reference);
    const all = (field: 'needs' | 'related') =>
      [...new Set(draft[field].map((reference) => find(field, reference)))].toSorted();
    return {
      needs: all('needs'),
      related: all('related'),
      parent: draft.parent && find('parent', draft.parent),
      duplicateOf: draft.duplicateOf && find('duplicateOf', draft.duplicateOf),
    };
  }

  #find(file: string, field: string, reference: string): string {
    const id = this.#ids.get(reference);
    if (id !== undefined) return id;
    const kind = numberIn(reference) === undefined ? 'with the id ' : '';
    this.problems.push(
      `${file}: ${field}: there is no ticket ${kind}${reference}, neither in these files nor in this workspace.`,
    );
    return reference;
  }
}
