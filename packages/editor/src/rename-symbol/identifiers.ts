import { BatonError } from '@baton/core';
import { isTypeScriptFile } from '../lsp/typescript-server.ts';

const IDENTIFIER = /^#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;
/** For languages of which nothing is known here: no blanks, quotes, brackets or operators. */
const PLAUSIBLE = /^[^\s\p{C}"'`()[\]{}<>;:,.=+*/\\|&^%~]+$/u;

const RESERVED = new Set(
  'await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield'.split(
    ' ',
  ),
);

/** Whether a name could be that of a symbol at all, in the language of the file. */
function isIdentifier(name: string, file: string): boolean {
  return isTypeScriptFile(file) ? IDENTIFIER.test(name) : PLAUSIBLE.test(name);
}

/** Throws if a symbol of this file cannot have this name. */
export function checkNewName(newName: string, oldName: string, file: string): void {
  if (newName === oldName) throw refused(newName, 'is the name that it has');
  if (!isIdentifier(newName, file)) throw refused(newName, 'is no identifier');
  if (!isTypeScriptFile(file)) return;
  // The server would rename it like any other parameter.
  if (oldName === 'this') throw refused(oldName, 'is a word of the language');
  if (RESERVED.has(newName)) throw refused(newName, 'is a reserved word');
  if (newName.startsWith('#') !== oldName.startsWith('#'))
    throw refused(newName, 'would change whether it is private: # is a part of the name');
}

function refused(name: string, why: string): BatonError {
  return new BatonError(
    'bad_name',
    `${JSON.stringify(name.slice(0, 100))} ${why}. Nothing was changed.`,
    'Choose another name.',
  );
}
