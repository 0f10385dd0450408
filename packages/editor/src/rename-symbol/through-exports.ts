import { BatonError } from '@baton/core';
import type { TextEdit } from '../edits/text-edit.ts';
import type { EditedFile, Language, Place } from '../language/language.ts';

/** Chains of files that export what others export. */
const MOST_EXPORTS = 200;

/**
 * Language servers stop at `export { total } from './cart'` and write `sum as total` there, so that
 * whoever imports it from this file keeps the old name. Here the new name goes on to them, too.
 */
export async function renameThroughExports(
  language: Language,
  edited: readonly EditedFile[],
  oldName: string,
  newName: string,
): Promise<readonly EditedFile[]> {
  const all = new EditSet(edited);
  const todo = stops(edited, oldName, newName);
  for (let asked = 0; todo.length > 0; asked++) {
    if (asked >= MOST_EXPORTS) throw tooMany(oldName);
    const place = todo.shift() as Place;
    const further = await language.rename(place, newName);
    all.replace(place, newName);
    all.add(further, place);
    todo.push(...stops(further, oldName, newName).filter((stop) => all.isStop(stop)));
  }
  return all.files;
}

function stops(edited: readonly EditedFile[], oldName: string, newName: string): Place[] {
  return edited.flatMap(({ file, edits }) =>
    edits
      .filter(({ newText }) => newText === `${newName} as ${oldName}`)
      .map(({ range }) => ({ file, range })),
  );
}

/** Edits of files, each place once. */
class EditSet {
  readonly #files = new Map<string, { contents: Buffer; edits: Map<string, TextEdit> }>();

  constructor(edited: readonly EditedFile[]) {
    this.add(edited);
  }

  get files(): EditedFile[] {
    return [...this.#files].map(([file, { contents, edits }]) => ({
      file,
      contents,
      edits: [...edits.values()],
    }));
  }

  add(edited: readonly EditedFile[], except?: Place): void {
    for (const { file, contents, edits } of edited) {
      const known = this.#files.get(file) ?? { contents, edits: new Map<string, TextEdit>() };
      if (!known.contents.equals(contents)) throw changed(file);
      this.#files.set(file, known);
      for (const edit of edits) {
        const key = keyOf(edit);
        const isExcept = except?.file === file && keyOf(except) === key;
        if (!isExcept && !known.edits.has(key)) known.edits.set(key, edit);
      }
    }
  }

  replace({ file, range }: Place, newText: string): void {
    this.#files.get(file)?.edits.set(keyOf({ range }), { range, newText });
  }

  /** Whether it has not been gone through yet. */
  isStop({ file, range }: Place): boolean {
    return this.#files.get(file)?.edits.get(keyOf({ range }))?.newText.includes(' as ') ?? false;
  }
}

function keyOf({ range: { start } }: Pick<TextEdit, 'range'>): string {
  return `${start.line}:${start.character}`;
}

function changed(file: string): BatonError {
  return new BatonError(
    'files_changed',
    `${file} was changed while the edits were computed. Nothing was changed by Baton.`,
    'Call again.',
  );
}

function tooMany(name: string): BatonError {
  return new BatonError(
    'cannot_rename',
    `${name} is exported again in more than ${MOST_EXPORTS} files. Nothing was changed.`,
    'Rename it in smaller steps.',
  );
}
