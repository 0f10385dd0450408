import type { Position, Range, TextEdit } from '../edits/text-edit.ts';

// The parts of the Language Server Protocol that are used here, as they are on the wire.

export interface Location {
  readonly uri: string;
  readonly range: Range;
}

export interface LocationLink {
  readonly targetUri: string;
  readonly targetSelectionRange: Range;
}

export interface DocumentSymbol {
  readonly name: string;
  readonly kind: number;
  readonly range: Range;
  readonly selectionRange: Range;
  readonly children?: readonly DocumentSymbol[];
}

/** What servers answer that know no nesting. */
export interface SymbolInformation {
  readonly name: string;
  readonly kind: number;
  readonly location: Location;
  readonly containerName?: string;
}

export interface WorkspaceEdit {
  readonly changes?: Readonly<Record<string, readonly TextEdit[]>>;
  readonly documentChanges?: readonly DocumentChange[];
}

type DocumentChange =
  | { readonly textDocument: { readonly uri: string }; readonly edits: readonly TextEdit[] }
  | { readonly kind: 'create' | 'rename' | 'delete' };

export interface CodeAction {
  readonly kind?: string;
  readonly edit?: WorkspaceEdit;
}

export interface SemanticTokens {
  readonly data: readonly number[];
}

export interface ServerCapabilities {
  readonly documentSymbolProvider?: unknown;
  readonly definitionProvider?: unknown;
  readonly referencesProvider?: unknown;
  readonly renameProvider?: boolean | { readonly prepareProvider?: boolean };
  readonly codeActionProvider?: boolean | { readonly resolveProvider?: boolean };
  readonly semanticTokensProvider?: {
    readonly legend: {
      readonly tokenTypes: readonly string[];
      readonly tokenModifiers: readonly string[];
    };
    readonly full?: unknown;
  };
  readonly workspace?: { readonly fileOperations?: { readonly willRename?: unknown } };
}

export interface DocumentPosition {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
}

/** By the numbers that the protocol gives them, from 1. */
const SYMBOL_KINDS = [
  'file',
  'module',
  'namespace',
  'package',
  'class',
  'method',
  'property',
  'field',
  'constructor',
  'enum',
  'interface',
  'function',
  'variable',
  'constant',
  'string',
  'number',
  'boolean',
  'array',
  'object',
  'key',
  'null',
  'enum member',
  'struct',
  'event',
  'operator',
  'type parameter',
];

export function symbolKind(kind: number): string {
  return SYMBOL_KINDS[kind - 1] ?? 'symbol';
}

export const TOKEN_TYPES = [
  'namespace',
  'type',
  'class',
  'enum',
  'interface',
  'struct',
  'typeParameter',
  'parameter',
  'variable',
  'property',
  'enumMember',
  'event',
  'function',
  'method',
  'macro',
  'decorator',
];

export const TOKEN_MODIFIERS = ['declaration', 'definition', 'readonly', 'static', 'local'];
