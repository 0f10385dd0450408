import type { Range, TextEdit } from '../edits/text-edit.ts';
import type { Declaration, Token } from '../language/language.ts';
import {
  type DocumentSymbol,
  type SemanticTokens,
  type ServerCapabilities,
  type SymbolInformation,
  symbolKind,
  type WorkspaceEdit,
} from './protocol.ts';

/** What a server says about a file, flat, with what each is declared in. */
export function declarationsIn(
  symbols: readonly (DocumentSymbol | SymbolInformation)[],
): Declaration[] {
  const found: Declaration[] = [];
  // Not by recursion: how deep a file is nested is not ours to say.
  const todo = symbols.map((symbol) => ({ symbol, container: '' })).reverse();
  for (let next = todo.pop(); next; next = todo.pop()) {
    const { symbol, container } = next;
    if ('location' in symbol) {
      const { range } = symbol.location;
      found.push(declaration(symbol, symbol.containerName ?? '', range, range));
      continue;
    }
    found.push(declaration(symbol, container, symbol.selectionRange, symbol.range));
    const within = container === '' ? symbol.name : `${container}.${symbol.name}`;
    for (const child of (symbol.children ?? []).toReversed())
      todo.push({ symbol: child, container: within });
  }
  return found;
}

function declaration(
  { name, kind }: { readonly name: string; readonly kind: number },
  container: string,
  range: Range,
  whole: Range,
): Declaration {
  return { name, kind: symbolKind(kind), container, range, whole };
}

const NUMBERS = 5;

/** Tokens come as differences of places, five numbers each. */
export function tokensIn(
  { data }: SemanticTokens,
  { legend }: NonNullable<ServerCapabilities['semanticTokensProvider']>,
): Token[] {
  const declares =
    (1 << legend.tokenModifiers.indexOf('declaration')) |
    (1 << legend.tokenModifiers.indexOf('definition'));
  const tokens: Token[] = [];
  let line = 0;
  let character = 0;
  for (let at = 0; at + NUMBERS <= data.length; at += NUMBERS) {
    const [lines = 0, characters = 0, length = 0, type = 0, modifiers = 0] = data.slice(at, at + 5);
    character = lines === 0 ? character + characters : characters;
    line += lines;
    tokens.push({
      range: { start: { line, character }, end: { line, character: character + length } },
      kind: wordsOf(legend.tokenTypes[type] ?? 'symbol'),
      isDeclaration: (modifiers & declares) !== 0,
    });
  }
  return tokens;
}

function wordsOf(camelCase: string): string {
  return camelCase.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The edits of texts, by URI. Throws if the server wants more than that. */
export function editsIn(edit: WorkspaceEdit | null | undefined): Map<string, TextEdit[]> {
  const edits = new Map<string, TextEdit[]>();
  const add = (uri: string, more: readonly TextEdit[]) =>
    edits.set(uri, [...(edits.get(uri) ?? []), ...more]);
  for (const [uri, more] of Object.entries(edit?.changes ?? {})) add(uri, more);
  for (const change of edit?.documentChanges ?? []) {
    if (!('edits' in change))
      throw new TypeError(`a language server wants to ${change.kind} a file`);
    add(change.textDocument.uri, change.edits);
  }
  return edits;
}
