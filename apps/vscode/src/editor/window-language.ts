import { BatonError } from '@baton/core';
import type { EditedText, EditorHost, FileTokens, Place } from '@baton/editor/link';
import * as vscode from 'vscode';
import { toSymbol } from './document-symbols.ts';
import { currentDocument } from './documents.ts';
import { fromEditorRange } from './edit-texts.ts';
import { editedTexts } from './edited-texts.ts';
import { isSource, wakeTypeScript } from './typescript.ts';
import type { WindowFiles } from './window-files.ts';

const ORGANIZE = 'source.organizeImports';
/** VS Code computes the edits of so many actions. */
const RESOLVED = 10;

type Asked<Method extends keyof EditorHost> = Parameters<EditorHost[Method]>[0];

/** What the extensions of this window know about programs. */
export class WindowLanguage {
  readonly #files: WindowFiles;

  constructor(files: WindowFiles) {
    this.#files = files;
  }

  async declarations({ file }: Asked<'declarations'>) {
    const { uri } = await this.#open(file);
    const symbols = await vscode.commands.executeCommand<
      (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
    >('vscode.executeDocumentSymbolProvider', uri);
    if (!symbols) throw nobodyKnows(file);
    return symbols.map(toSymbol);
  }

  async tokens({ file }: Asked<'tokens'>): Promise<FileTokens | undefined> {
    const { uri, lineCount } = await this.#open(file);
    const all = new vscode.Range(0, 0, lineCount, 0);
    // TypeScript tells tokens of ranges only.
    const command = 'vscode.provideDocumentRangeSemanticTokens';
    const [legend, tokens] = await Promise.all([
      vscode.commands.executeCommand<vscode.SemanticTokensLegend | undefined>(
        `${command}Legend`,
        uri,
        all,
      ),
      vscode.commands.executeCommand<vscode.SemanticTokens | undefined>(command, uri, all),
    ]);
    if (!legend || !tokens) return undefined;
    const { tokenTypes, tokenModifiers } = legend;
    return { data: [...tokens.data], legend: { tokenTypes, tokenModifiers } };
  }

  async definitions({ at }: Asked<'definitions'>): Promise<Place[]> {
    const { uri } = await this.#open(at.file);
    const found = await vscode.commands.executeCommand<
      (vscode.Location | vscode.LocationLink)[] | undefined
    >('vscode.executeDefinitionProvider', uri, positionOf(at));
    return this.places(
      (found ?? []).map((one) =>
        'targetUri' in one
          ? { uri: one.targetUri, range: one.targetSelectionRange ?? one.targetRange }
          : one,
      ),
    );
  }

  async rename({ at, newName, mentioning }: Asked<'rename'>): Promise<EditedText[]> {
    const { uri } = await this.#open(at.file);
    await this.openAll(mentioning);
    return editedTexts(this.#files, 'The renaming', async () => {
      const command = 'vscode.executeDocumentRenameProvider';
      const edit = await Promise.resolve(
        vscode.commands.executeCommand<vscode.WorkspaceEdit | undefined>(
          command,
          uri,
          positionOf(at),
          newName,
        ),
      ).catch((error: unknown) => {
        throw cannotRename(error instanceof Error ? error.message : String(error));
      });
      if (!edit) throw cannotRename('No extension of this window finds anything to rename there.');
      return edit.entries();
    });
  }

  async organizeImports({ file }: Asked<'organizeImports'>): Promise<EditedText[]> {
    const { uri } = await this.#open(file);
    return editedTexts(this.#files, 'Organising imports', async () => {
      const command = 'vscode.executeCodeActionProvider';
      const range = new vscode.Range(0, 0, 0, 0);
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[] | undefined>(
        command,
        uri,
        range,
        ORGANIZE,
        RESOLVED,
      );
      const edit = actions?.find((one) => one.edit)?.edit;
      // TypeScript has nothing to offer where all is in order.
      if (!edit && !isSource(file)) throw cannotOrganize(file);
      return edit?.entries() ?? [];
    });
  }

  async references(at: Place): Promise<Place[]> {
    const { uri } = await this.#open(at.file);
    const command = 'vscode.executeReferenceProvider';
    const found = await vscode.commands.executeCommand<vscode.Location[] | undefined>(
      command,
      uri,
      positionOf(at),
    );
    return this.places(found ?? []);
  }

  /** What is in open documents is known; what cannot be opened cannot be edited, either. */
  async openAll(files: readonly string[]): Promise<vscode.TextDocument[]> {
    const opened = await Promise.all(files.map((file) => this.#open(file).catch(unusable)));
    return opened.filter((document) => document !== undefined);
  }

  places(found: readonly { uri: vscode.Uri; range: vscode.Range }[]): Place[] {
    return found.flatMap(({ uri, range }) => {
      const file = this.#files.fileOf(uri);
      return file === undefined ? [] : [{ file, range: fromEditorRange(range) }];
    });
  }

  async #open(file: string): Promise<vscode.TextDocument> {
    if (isSource(file)) await wakeTypeScript();
    return currentDocument(this.#files.uriOf(file), file);
  }
}

export function positionOf({ range: { start } }: Place): vscode.Position {
  return new vscode.Position(start.line, start.character);
}

function unusable(error: unknown): undefined {
  if (!(error instanceof BatonError) || error.code === 'files_changed') throw error;
}

function nobodyKnows(file: string): BatonError {
  return new BatonError(
    'no_language_server',
    `No extension of this window understands ${file}.`,
    'Enable or install the extension for this language, or edit the file by hand.',
  );
}

function cannotOrganize(file: string): BatonError {
  return new BatonError(
    'cannot_organize_imports',
    `No extension of this window says how the imports of ${file} are organised. Nothing was changed.`,
    'Use a formatter of this language, or edit the file by hand.',
  );
}

function cannotRename(why: string): BatonError {
  return new BatonError(
    'cannot_rename',
    `It cannot be renamed. ${why}`,
    'Choose another symbol, or name the file in which it is declared.',
  );
}
