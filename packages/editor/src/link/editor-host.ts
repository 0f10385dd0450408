import type { Plain } from '@baton/core';
import type { Move } from '../edits/changing.ts';
import type { TextEdit } from '../edits/text-edit.ts';
import type { Place } from '../language/language.ts';
import type { DocumentSymbol, SemanticTokens, SymbolInformation } from '../lsp/protocol.ts';
import type { Scope } from '../settings/settings-port.ts';

/** The text of a document, with what is not saved yet, and edits that fit just this text. */
export interface EditedText {
  readonly file: string;
  readonly text: string;
  readonly edits: readonly TextEdit[];
}

export interface TextWrite {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** How `after` follows from `before`. */
  readonly edits?: readonly TextEdit[] | undefined;
}

/** As a `Change`, of texts. */
export interface TextChange {
  readonly title: string;
  readonly writes: readonly TextWrite[];
  readonly moves: readonly Move[];
}

export interface AppliedChange {
  /** Takes it back. */
  readonly undo: string;
  /** Documents that had unsaved changes before: whether to save them is for the person to say. */
  readonly unsaved: readonly string[];
}

export interface FileTokens {
  readonly data: SemanticTokens['data'];
  readonly legend: { readonly tokenTypes: string[]; readonly tokenModifiers: string[] };
}

/**
 * What an editor can be asked by the process that runs the tools. Files are named by their paths
 * in the workspace of that process, with slashes. What is expected to fail is a `BatonError`.
 */
export interface EditorHost {
  read(asked: { readonly file: string }, signal: AbortSignal): Promise<string>;
  declarations(
    asked: { readonly file: string },
    signal: AbortSignal,
  ): Promise<readonly (DocumentSymbol | SymbolInformation)[]>;
  tokens(asked: { readonly file: string }, signal: AbortSignal): Promise<FileTokens | undefined>;
  definitions(asked: { readonly at: Place }, signal: AbortSignal): Promise<readonly Place[]>;
  /** `mentioning`: files that hold the old name somewhere. Their projects may not be loaded yet. */
  rename(
    asked: {
      readonly at: Place;
      readonly newName: string;
      readonly mentioning: readonly string[];
    },
    signal: AbortSignal,
  ): Promise<readonly EditedText[]>;
  /** `concerned`: files that move or may import what moves, at least one of them. */
  renameFiles(
    asked: { readonly moves: readonly Move[]; readonly concerned: readonly string[] },
    signal: AbortSignal,
  ): Promise<readonly EditedText[]>;
  organizeImports(
    asked: { readonly file: string },
    signal: AbortSignal,
  ): Promise<readonly EditedText[]>;
  referencesAfter(
    asked: {
      readonly edits: readonly { readonly file: string; readonly edits: readonly TextEdit[] }[];
      readonly at: Place;
    },
    signal: AbortSignal,
  ): Promise<readonly Place[]>;
  apply(asked: TextChange, signal: AbortSignal): Promise<AppliedChange>;
  undo(asked: { readonly id: string }, signal: AbortSignal): Promise<TextChange>;
  settingGet(
    asked: { readonly key: string; readonly scope: Scope | 'default' },
    signal: AbortSignal,
  ): Promise<Plain | undefined>;
  settingSet(
    asked: {
      readonly key: string;
      readonly value?: Plain | undefined;
      readonly scope: Scope;
    },
    signal: AbortSignal,
  ): Promise<void>;
}

export type Method = keyof EditorHost;

const METHODS: Readonly<Record<Method, true>> = {
  read: true,
  declarations: true,
  tokens: true,
  definitions: true,
  rename: true,
  renameFiles: true,
  organizeImports: true,
  referencesAfter: true,
  apply: true,
  undo: true,
  settingGet: true,
  settingSet: true,
};

export function isMethod(name: unknown): name is Method {
  return typeof name === 'string' && Object.hasOwn(METHODS, name);
}
