// What an editor needs to answer the processes that it has started.

export type { Move } from '../edits/changing.ts';
export type { TextEdit } from '../edits/text-edit.ts';
export type { Place } from '../language/language.ts';
export type { DocumentSymbol, SymbolInformation } from '../lsp/protocol.ts';
export type { Scope } from '../settings/settings-port.ts';
export type {
  AppliedChange,
  EditedText,
  EditorHost,
  FileTokens,
  TextChange,
  TextWrite,
} from './editor-host.ts';
export { EditorLink } from './editor-link.ts';
export type { LinkAddress } from './messages.ts';
