import path from 'node:path';
import { textIn } from '../edits/apply-edits.ts';
import { textOf } from '../edits/text-file.ts';
import type { EditedFile } from '../language/language.ts';

/**
 * Where a package.json goes on naming what is moved, imports by the name of the package, or by its
 * own `#` names, stay as they are: a server that does not know so would make them relative.
 */
export function keepSpecifiers(
  edited: readonly EditedFile[],
  manifests: readonly EditedFile[],
): EditedFile[] {
  const packages = manifests
    .filter(({ file }) => path.posix.basename(file) === 'package.json')
    .map(({ file, contents }) => ({
      folder: path.posix.dirname(file),
      name: nameIn(textOf(file, contents).text),
    }));
  if (packages.length === 0) return [...edited];
  return edited.map((one) => {
    const { text } = textOf(one.file, one.contents);
    const isKept = (specifier: string) =>
      packages.some(({ folder, name }) => {
        const isInside = folder === '.' || one.file.startsWith(`${folder}/`);
        if (specifier.startsWith('#')) return isInside;
        return name !== undefined && (specifier === name || specifier.startsWith(`${name}/`));
      });
    const edits = one.edits.filter(
      ({ range, newText }) => !(newText.startsWith('.') && isKept(textIn(text, range))),
    );
    return { ...one, edits };
  });
}

function nameIn(text: string): string | undefined {
  try {
    const { name } = JSON.parse(text) as { name?: unknown };
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}
