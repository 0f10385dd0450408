import path from 'node:path';
import { linesOf, positionAt, textIn } from '../edits/apply-edits.ts';
import type { Move } from '../edits/changing.ts';
import type { Range, TextEdit } from '../edits/text-edit.ts';
import { placesOfWord } from '../edits/words.ts';
import type { Location, LocationLink } from '../lsp/protocol.ts';
import { STANDARD_MODULES } from './python-standard.ts';
import type { UriEdits } from './workbench.ts';

/** A module or package of Python that gets another name in the folder that it is in. */
export interface ModuleRename {
  readonly name: string;
  readonly newName: string;
  /** The file that stands for it. */
  readonly file: string;
}

const IDENTIFIER = /^[\p{ID_Start}_]\p{ID_Continue}*$/u;
const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);
/** Python itself looks for these by their names. */
const SPECIAL = /^__.*__$/;
const SPECIAL_FILE = /(^|\/)__init__\.pyi?$/;

/** `undefined` if imports of it would need more than another name, or could mean something else. */
export function moduleRename(
  { from, to }: Move,
  isFile: (file: string) => boolean,
): ModuleRename | undefined {
  if (path.posix.dirname(from) !== path.posix.dirname(to)) return undefined;
  const isModule = from.endsWith('.py');
  if (isModule && !to.endsWith('.py')) return undefined;
  const stem = isModule ? from.slice(0, -'.py'.length) : from;
  const newName = path.posix.basename(isModule ? to.slice(0, -'.py'.length) : to);
  const forms = [`${stem}.py`, `${stem}.pyi`, `${stem}/__init__.py`, `${stem}/__init__.pyi`];
  const [file, ...others] = forms.filter(isFile);
  const name = path.posix.basename(stem);
  const isUsable = IDENTIFIER.test(newName) && !KEYWORDS.has(newName) && !SPECIAL.test(name);
  if (file === undefined || others.length > 0 || !isUsable) return undefined;
  const isTop = !isFile(path.posix.join(path.posix.dirname(from), '__init__.py'));
  if (isTop && STANDARD_MODULES.has(newName)) return undefined;
  return isModule === (file === from) ? { name, newName, file } : undefined;
}

export interface PythonServer {
  /** Files that mention the module's name; the server has them open. */
  readonly texts: ReadonlyMap<string, string>;
  definitions(file: string, range: Range): Promise<readonly (Location | LocationLink)[]>;
  references(file: string, range: Range): Promise<readonly Location[]>;
  uriOf(file: string): string;
  fileOf(uri: string): string | undefined;
}

/**
 * What has to follow in imports and uses of a module: its references, asked for at every import
 * that may mean it. `undefined` if the server does not know what such an import means, or if the
 * new name is taken somewhere.
 */
export async function moduleEdits(
  server: PythonServer,
  rename: ModuleRename,
): Promise<UriEdits | undefined> {
  const found = new Found();
  for (const [file, text] of server.texts)
    for (const range of importPlaces(text, rename.name))
      if (!(await addReferences(server, rename, file, range, found))) return undefined;
  // `__all__` may name what nothing imports.
  for (const [file, text] of server.texts)
    if (
      SPECIAL_FILE.test(file) &&
      quotedPlaces(text, rename.name).some((at) => !found.has(file, at))
    )
      return undefined;
  return editsAt(server, rename, found);
}

/** Whether the server knows what an import means. */
async function addReferences(
  server: PythonServer,
  rename: ModuleRename,
  file: string,
  range: Range,
  found: Found,
): Promise<boolean> {
  if (found.has(file, range)) return true;
  const definitions = await server.definitions(file, range);
  if (!definitions.some((one) => isModule(server, one, rename))) return definitions.length > 0;
  found.add(file, range);
  for (const reference of await server.references(file, range))
    found.add(server.fileOf(reference.uri) ?? '', reference.range);
  return true;
}

function editsAt(
  server: PythonServer,
  { name, newName }: ModuleRename,
  { byFile }: Found,
): UriEdits | undefined {
  const edits = new Map<string, TextEdit[]>();
  for (const [file, ranges] of byFile) {
    const text = server.texts.get(file);
    // Where the new name stands already, it may mean something else.
    if (text === undefined || !placesOfWord(text, newName).next().done) return undefined;
    const all = [...ranges.values()];
    if (all.some((range) => textIn(text, range) !== name)) return undefined;
    const renamed = all.map((range) => ({ range, newText: newName }));
    edits.set(server.uriOf(file), renamed);
  }
  return edits;
}

/** Ranges by file, each once. */
class Found {
  readonly byFile = new Map<string, Map<string, Range>>();

  has(file: string, range: Range): boolean {
    return this.byFile.get(file)?.has(keyOf(range)) ?? false;
  }

  add(file: string, range: Range): void {
    const ranges = this.byFile.get(file) ?? new Map<string, Range>();
    this.byFile.set(file, ranges.set(keyOf(range), range));
  }
}

/** Where a name stands in an import, be it over several lines. */
export function importPlaces(text: string, name: string): Range[] {
  return placesWhere(text, name, (at) => isInImport(text, at));
}

/** Where a text of Python is just this name. */
function quotedPlaces(text: string, name: string): Range[] {
  const isQuote = (character = '') => character === "'" || character === '"';
  return placesWhere(text, name, (at) => isQuote(text[at - 1]) && isQuote(text[at + name.length]));
}

function placesWhere(text: string, name: string, isMeant: (at: number) => boolean): Range[] {
  const lines = linesOf(text);
  return [...placesOfWord(text, name)]
    .filter(isMeant)
    .map((at) => ({ start: positionAt(lines, at), end: positionAt(lines, at + name.length) }));
}

/** Far more than any import needs. */
const MAX_IMPORT = 20_000;
const ON_LINE = /(?:^|[;:])[ \t]*(?:from|import)\b/;
const IN_BRACKETS = /(?:^|[\n\r;:])[ \t]*from\b[^()\n\r]*\bimport\s*\([^()]*$/;

function isInImport(text: string, at: number): boolean {
  const line = text.slice(startOfStatement(text, at), at);
  if (line.includes('#')) return false; // A comment.
  return ON_LINE.test(line) || IN_BRACKETS.test(text.slice(Math.max(0, at - MAX_IMPORT), at));
}

/** A line that ends with a backslash goes on. */
function startOfStatement(text: string, at: number): number {
  let start = text.lastIndexOf('\n', at - 1) + 1;
  while (start > 0 && /\\\r?$/.test(text.slice(Math.max(0, start - 3), start - 1)))
    start = text.lastIndexOf('\n', start - 2) + 1;
  return start;
}

/** A module is at the very beginning of its file; what only has the same name is itself there. */
function isModule(
  server: PythonServer,
  definition: Location | LocationLink,
  { file: moved, name }: ModuleRename,
): boolean {
  const { uri, range } =
    'uri' in definition
      ? definition
      : { uri: definition.targetUri, range: definition.targetSelectionRange };
  if (server.fileOf(uri) !== moved || range.start.line > 0 || range.start.character > 0)
    return false;
  const text = server.texts.get(moved);
  return text === undefined || textIn(text, range) !== name;
}

function keyOf({ start }: Range): string {
  return `${start.line}:${start.character}`;
}
