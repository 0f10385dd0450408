import { BatonError } from '@baton/core';
import * as vscode from 'vscode';

const EXTENSION = 'vscode.typescript-language-features';
const LANGUAGES = new Set(['typescript', 'typescriptreact', 'javascript', 'javascriptreact']);
const SOURCE = /\.[cm]?[jt]sx?$/i;

/** A place as TypeScript's server counts, from 1. */
interface Spot {
  readonly line: number;
  readonly offset: number;
}

/** Edits of a file as TypeScript's server says them. */
export interface FileCodeEdits {
  readonly fileName: string;
  readonly textChanges: readonly (Span & { readonly newText: string })[];
}

export interface Span {
  readonly start: Spot;
  readonly end: Spot;
}

export function isSource(file: string): boolean {
  return SOURCE.test(file);
}

/** Whether TypeScript's server knows what is in this document. */
export function isKnownToTypeScript({ languageId }: vscode.TextDocument): boolean {
  return LANGUAGES.has(languageId);
}

/** It is not there before somebody has opened such a file, and answers nothing then. */
export async function wakeTypeScript(): Promise<void> {
  await vscode.extensions.getExtension(EXTENSION)?.activate();
}

export function isTypeScriptAwake(): boolean {
  return vscode.extensions.getExtension(EXTENSION)?.isActive ?? false;
}

/** Asks Baton's plugin in TypeScript's server. Throws why it cannot be asked. */
export async function askPlugin<Body>(command: string, asked: object): Promise<Body> {
  await wakeTypeScript();
  const answer = await vscode.commands.executeCommand<
    { type?: string; success?: boolean; body?: Body; message?: string } | undefined
  >('typescript.tsserverRequest', `_baton.${command}`, asked);
  if (answer?.type === 'response' && answer.success) return answer.body as Body;
  throw new Error(answer?.message ?? answer?.type ?? 'it did not answer');
}

export function cannotRenameFiles(cause: unknown): BatonError {
  const { serverErrorText } = cause as { readonly serverErrorText?: unknown };
  const why = serverErrorText ?? (cause instanceof Error ? cause.message : cause);
  return new BatonError(
    'editor_cannot_rename_files',
    `TypeScript in this window does not tell Baton what imports a file: ${why}. Nothing was changed.`,
    'Enable the extension "TypeScript and JavaScript Language Features" with TypeScript 5 or 6 and run "TypeScript: Restart TS Server", or use Baton outside of VS Code: it has a TypeScript of its own.',
    { cause },
  );
}

export function toRange({ start, end }: Span): vscode.Range {
  return new vscode.Range(start.line - 1, start.offset - 1, end.line - 1, end.offset - 1);
}

export function toSpan({ start, end }: vscode.Range): Span {
  const spot = ({ line, character }: vscode.Position) => ({
    line: line + 1,
    offset: character + 1,
  });
  return { start: spot(start), end: spot(end) };
}
