import { BatonError, nearest } from '@baton/core';
import {
  type Lines,
  lineEnd,
  linesOf,
  offsetAt,
  positionAt,
  textIn,
} from '../edits/apply-edits.ts';
import type { Range } from '../edits/text-edit.ts';
import { textOf } from '../edits/text-file.ts';
import { countWord, placesOfWord } from '../edits/words.ts';
import type { Declaration, EditedFile, Language, Place, Token } from '../language/language.ts';

export interface SymbolRequest {
  readonly file: string;
  readonly name: string;
  /** From 1, as people count. */
  readonly line?: number | undefined;
  readonly kind?: string | undefined;
  readonly container?: string | undefined;
}

/** A symbol by the place where it is declared, as far as that is in the workspace. */
export interface FoundSymbol extends Place {
  readonly kind: string;
  readonly container: string;
}

const MOST_CANDIDATES = 20;
const LOCALS = new Set(['variable', 'parameter']);
/** What is of these kinds is no import of something else. */
const DECLARED = new Set(['class', 'enum', 'enum member', 'function', 'interface', 'method']);

/**
 * The one symbol that a request means. It is found among what the language server knows, not by
 * its letters; what could be several is not guessed.
 */
export async function findSymbol(
  language: Language,
  request: SymbolRequest,
  newName: string,
): Promise<Candidate> {
  const { file, name } = request;
  const declarations = await language.declarations(file);
  const lines = linesOf(textOf(file, await language.read(file)).text);
  const named = declarations
    .map((one) => ({ ...one, file, range: withoutQuotes(lines, one.range) }))
    .filter((one) => wordAt(lines, one.range) === name);
  const fitting = named.filter((one) => fits(one, request));
  if (fitting.length > 0) {
    const [only, another] = await distinguish(language, fitting, newName);
    if (only && !another && isEverywhere(lines, request, only.edited)) return only;
  }
  return findAmongTokens(language, request, newName, { declarations, named, lines });
}

interface Known {
  readonly declarations: readonly Declaration[];
  readonly named: readonly FoundSymbol[];
  readonly lines: Lines;
}

/** Parameters, locals and what is only used here are not among what a file declares. */
async function findAmongTokens(
  language: Language,
  request: SymbolRequest,
  newName: string,
  { declarations, named, lines }: Known,
): Promise<Candidate> {
  const { file, name } = request;
  const tokens = (await language.tokens(file))
    .filter(({ range }) => wordAt(lines, range) === name)
    .map((one) => ({ ...one, file, container: containerOf(declarations, one.range) }));
  const unnamed = tokens.filter((one) => one.isDeclaration && !named.some(isAt(one.range)));
  const declared = [...named, ...unnamed];
  const used = tokens.filter(({ isDeclaration }) => !isDeclaration);
  // A line may tell a use; otherwise what is declared here is meant rather than what is used.
  const fitting = declared.filter((one) => fits(one, request));
  const told = fitting.length > 0 ? fitting : used.filter((one) => fits(one, request));
  const distinct =
    told.length > 0
      ? await distinguish(language, told, newName)
      : await findAmongWords(language, request, newName, { declarations, named, lines });
  const [only, another] = distinct;
  if (!only) throw notFound(request, [...declared, ...used], declarations);
  if (another) throw ambiguous(request, distinct);
  return only;
}

/** Servers tell of neither `export * as shop` nor `exports.total`, but know what they are. */
async function findAmongWords(
  language: Language,
  request: SymbolRequest,
  newName: string,
  { declarations, lines }: Known,
): Promise<Candidate[]> {
  const { file, name } = request;
  const written = [...placesOfWord(lines.text, name)]
    .map((at) => ({ start: positionAt(lines, at), end: positionAt(lines, at + name.length) }))
    .map((range) => ({ file, range, kind: 'symbol', container: containerOf(declarations, range) }))
    .filter((one) => fits(one, request));
  const known: FoundSymbol[] = [];
  for (const one of written.slice(0, MOST_CANDIDATES))
    if ((await language.definitions(one)).length > 0) known.push(one);
  try {
    return known.length > 0 ? await distinguish(language, known, newName) : [];
  } catch (error) {
    if (error instanceof BatonError && error.code === 'cannot_rename') return [];
    throw error;
  }
}

/** Whether each place that has these letters, of the file or its line, is renamed: there is no other then. */
function isEverywhere(
  lines: Lines,
  { file, name, line }: SymbolRequest,
  edited: readonly EditedFile[],
): boolean {
  const edits = edited.find((one) => one.file === file)?.edits ?? [];
  if (line === undefined) return countWord(lines.text, name) === edits.length;
  const start = lines.starts[line - 1] ?? lines.text.length;
  const text = lines.text.slice(start, lineEnd(lines, line - 1));
  return (
    countWord(text, name) === edits.filter(({ range }) => range.start.line === line - 1).length
  );
}

export interface Candidate {
  readonly symbol: FoundSymbol;
  readonly edited: readonly EditedFile[];
}

/** Several declarations can be one symbol (overloads, merged interfaces): the same is renamed. */
async function distinguish(
  language: Language,
  candidates: readonly FoundSymbol[],
  newName: string,
): Promise<Candidate[]> {
  const found = new Map<string, Candidate>();
  let refusal: unknown;
  for (const candidate of candidates) {
    if ([...found.values()].some(({ edited }) => isEdited(edited, candidate))) continue;
    const symbol = await declarationOf(language, candidate, newName);
    try {
      const edited = await language.rename(symbol, newName);
      const key = keyOf(edited);
      if (!found.has(key)) found.set(key, { symbol, edited });
    } catch (error) {
      if (!(error instanceof BatonError) || error.code !== 'cannot_rename') throw error;
      refusal = error;
    }
  }
  if (found.size === 0) throw refusal;
  return [...found.values()];
}

/** An import, or a use, stands for what it means: renamed is that, not the name it has here. */
async function declarationOf(
  language: Language,
  candidate: FoundSymbol & Partial<Token>,
  newName: string,
): Promise<FoundSymbol> {
  if (DECLARED.has(candidate.kind)) return candidate;
  const places = await language.definitions(candidate);
  const [first] = places;
  if (!first || places.some((place) => isSamePlace(place, candidate))) return candidate;
  if (await isTakenOut(language, candidate, newName)) return candidate;
  const { file, range } = first;
  const text = textOf(file, await language.read(file)).text;
  const here = textOf(candidate.file, await language.read(candidate.file)).text;
  // Under another name it is an alias, and the alias is what is meant.
  if (textIn(text, range) !== textIn(here, candidate.range)) return candidate;
  const declared = (await language.declarations(file)).find(isAt(range));
  return {
    file,
    range,
    kind: declared?.kind ?? candidate.kind,
    container: declared?.container ?? '',
  };
}

/** `const { total } = cart` declares a variable, whatever the property is called. */
async function isTakenOut(
  language: Language,
  candidate: FoundSymbol & Partial<Token>,
  newName: string,
): Promise<boolean> {
  if (candidate.isDeclaration === false || !LOCALS.has(plain(candidate.kind))) return false;
  const edited = await language.rename(candidate, newName);
  const own = edited.find(({ file }) => file === candidate.file)?.edits.find(isAt(candidate.range));
  return own?.newText.endsWith(`: ${newName}`) ?? false;
}

function wordAt(lines: Lines, { start, end }: Range): string {
  return lines.text.slice(offsetAt(lines, start), offsetAt(lines, end));
}

/** A key that is written as a string is called what stands in it. */
function withoutQuotes(lines: Lines, range: Range): Range {
  const { start, end } = range;
  if (!/^(["']).*\1$/.test(wordAt(lines, range))) return range;
  return {
    start: { ...start, character: start.character + 1 },
    end: { ...end, character: end.character - 1 },
  };
}

function fits({ range, kind, container }: FoundSymbol, request: SymbolRequest): boolean {
  const { line, kind: wantedKind, container: wanted } = request;
  if (line !== undefined && range.start.line !== line - 1) return false;
  if (wantedKind !== undefined && plain(kind) !== plain(wantedKind)) return false;
  return wanted === undefined || container === wanted || container.endsWith(`.${wanted}`);
}

function plain(kind: string): string {
  const word = kind.toLowerCase().replace(/[ _-]/g, '');
  return word === 'constant' || word === 'const' || word === 'let' ? 'variable' : word;
}

function containerOf(declarations: readonly Declaration[], range: Range): string {
  const around = declarations.filter(({ whole, range: own }) => {
    return isWithin(whole, range) && !isSameRange(own, range);
  });
  const innermost = around.at(-1);
  if (!innermost) return '';
  return [innermost.container, innermost.name].filter(Boolean).join('.');
}

function isWithin(whole: Range, { start, end }: Range): boolean {
  return compare(whole.start, start) <= 0 && compare(end, whole.end) <= 0;
}

function compare(a: Range['start'], b: Range['start']): number {
  return a.line - b.line || a.character - b.character;
}

function isSameRange(a: Range, b: Range): boolean {
  return compare(a.start, b.start) === 0 && compare(a.end, b.end) === 0;
}

function isAt(range: Range) {
  return (other: { readonly range: Range }) => compare(other.range.start, range.start) === 0;
}

function isSamePlace(a: Place, b: Place): boolean {
  return a.file === b.file && compare(a.range.start, b.range.start) === 0;
}

function isEdited(edited: readonly EditedFile[], { file, range }: Place): boolean {
  return edited.some((one) => one.file === file && one.edits.some(isAt(range)));
}

function keyOf(edited: readonly EditedFile[]): string {
  return edited
    .flatMap(({ file, edits }) => edits.map((edit) => `${file}:${JSON.stringify(edit)}`))
    .sort()
    .join('\n');
}

function notFound(
  { file, name, line, kind, container }: SymbolRequest,
  elsewhere: readonly FoundSymbol[],
  declarations: readonly Declaration[],
): BatonError {
  const how = [
    line !== undefined && `in line ${line}`,
    kind !== undefined && `of kind ${kind}`,
    container !== undefined && `in ${container}`,
  ].filter(Boolean);
  const what = `${file} has no symbol ${name}${how.length > 0 ? ` ${how.join(' ')}` : ''}.`;
  if (elsewhere.length > 0)
    return new BatonError('symbol_not_found', what, `There is ${listOf(elsewhere)}.`);
  const meant = nearest(
    name,
    declarations.map((one) => one.name),
  );
  return new BatonError(
    'symbol_not_found',
    what,
    meant ? `Did you mean ${meant}?` : 'Name the file that declares or uses it.',
  );
}

function ambiguous({ name }: SymbolRequest, candidates: readonly Candidate[]): BatonError {
  return new BatonError(
    'symbol_ambiguous',
    `${name} is ${candidates.length} different symbols. Nothing was changed.`,
    `Say which one, by line, kind or container: ${listOf(candidates.map(({ symbol }) => symbol))}.`,
  );
}

function listOf(symbols: readonly FoundSymbol[]): string {
  const texts = symbols.slice(0, MOST_CANDIDATES).map(({ file, range, kind, container }) => {
    return `${kind}${container ? ` in ${container}` : ''} at ${file}:${range.start.line + 1}`;
  });
  const more = symbols.length - texts.length;
  return texts.join('; ') + (more > 0 ? `; and ${more} more` : '');
}
