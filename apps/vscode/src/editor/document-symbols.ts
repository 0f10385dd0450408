import type { DocumentSymbol, SymbolInformation } from '@baton/editor/link';
import type * as vscode from 'vscode';
import { fromEditorRange } from './edit-texts.ts';

/** VS Code counts kinds from 0, the protocol of language servers from 1. */
export function toSymbol(
  symbol: vscode.DocumentSymbol | vscode.SymbolInformation,
): DocumentSymbol | SymbolInformation {
  const { name, kind } = symbol;
  // Those of VS Code have a `location` besides.
  if ('selectionRange' in symbol)
    return {
      name,
      kind: kind + 1,
      range: fromEditorRange(symbol.range),
      selectionRange: fromEditorRange(symbol.selectionRange),
      children: symbol.children.map((child) => toSymbol(child) as DocumentSymbol),
    };
  const { uri, range } = symbol.location;
  const location = { uri: uri.toString(), range: fromEditorRange(range) };
  return { name, kind: kind + 1, location, containerName: symbol.containerName };
}
