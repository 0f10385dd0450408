import path from 'node:path';
import { type Asking, BatonError } from '@baton/core';
import { applyEdits, textIn } from '../edits/apply-edits.ts';
import type { Move } from '../edits/changing.ts';
import type { EditsByFile } from '../edits/text-edit.ts';
import { textOf } from '../edits/text-file.ts';
import type { Declaration, EditedFile, Language, Place, Token } from '../language/language.ts';
import { ServerRefusal } from '../lsp/connection.ts';
import { declarationsIn, editsIn, tokensIn } from '../lsp/decode.ts';
import type { LanguageServer, ServerKind } from '../lsp/language-server.ts';
import type {
  CodeAction,
  DocumentPosition,
  DocumentSymbol,
  Location,
  LocationLink,
  SemanticTokens,
  SymbolInformation,
  WorkspaceEdit,
} from '../lsp/protocol.ts';
import { keepLineBreaks } from './line-breaks.ts';
import { keepRelative, moveBack, movedFiles, wordsOfMoves } from './moves.ts';
import { knows, type ServerChoice, understands } from './server-choice.ts';
import type { Workbench } from './workbench.ts';

const ORGANIZE = 'source.organizeImports';

/** What language servers know, for a process without an editor. */
export class HeadlessLanguage implements Language {
  readonly #bench: Workbench;
  readonly #choice: ServerChoice;
  readonly #asking: Asking;
  readonly #signal: AbortSignal;
  readonly #kinds = new Map<string, Promise<ServerKind>>();

  constructor(bench: Workbench, choice: ServerChoice, { asking, signal }: Questions) {
    this.#bench = bench;
    this.#choice = choice;
    this.#asking = asking;
    this.#signal = signal;
  }

  async read(file: string): Promise<Buffer> {
    await this.#bench.tree.look();
    return this.#bench.read(file);
  }

  async declarations(file: string): Promise<readonly Declaration[]> {
    const symbols = await this.#ask<readonly (DocumentSymbol | SymbolInformation)[] | null>(
      file,
      'textDocument/documentSymbol',
      { textDocument: this.#document(file) },
    );
    return declarationsIn(symbols ?? []);
  }

  async tokens(file: string): Promise<readonly Token[]> {
    const kind = await this.#kindFor(file);
    return this.#bench.ask(kind, [file], async (server) => {
      const { semanticTokensProvider } = server.capabilities;
      if (!semanticTokensProvider?.full) return [];
      const params = { textDocument: this.#document(file) };
      const answer = await this.#request<SemanticTokens | null>(
        server,
        'textDocument/semanticTokens/full',
        params,
      );
      return answer ? tokensIn(answer, semanticTokensProvider) : [];
    });
  }

  async definitions(place: Place): Promise<readonly Place[]> {
    const found = await this.#ask<Location | readonly (Location | LocationLink)[] | null>(
      place.file,
      'textDocument/definition',
      this.#position(place),
    );
    const all = found === null ? [] : 'uri' in found ? [found] : found;
    return this.#places(
      all.map((one) =>
        'uri' in one ? one : { uri: one.targetUri, range: one.targetSelectionRange },
      ),
    );
  }

  async rename(at: Place, newName: string): Promise<readonly EditedFile[]> {
    const kind = await this.#kindFor(at.file);
    const old = textIn(textOf(at.file, await this.read(at.file)).text, at.range);
    const asked = { file: at.file, words: [old], what: `Renaming ${old}` };
    const params = { ...this.#position(at), newName };
    return this.#bench.edited(kind, asked, async (server) => {
      const edit = await this.#request<WorkspaceEdit | null>(
        server,
        'textDocument/rename',
        params,
      ).catch((error: unknown) => {
        throw error instanceof ServerRefusal ? cannotRename(old, error.message) : error;
      });
      const edits = editsIn(edit);
      if (![...edits.values()].some(({ length }) => length > 0))
        throw cannotRename(old, 'The language server finds nothing to rename there.');
      return edits;
    });
  }

  async renameFiles(moves: readonly Move[]): Promise<readonly EditedFile[]> {
    const files = [...(await this.#bench.tree.look()).keys()];
    const moved = movedFiles(moves, files);
    const concerned = await this.#choice.kindsFor(moved, files, this.#asking);
    const edited: EditedFile[] = [];
    for (const kind of concerned) edited.push(...(await this.#filesRenamed(kind, moves, moved)));
    return edited;
  }

  async organizeImports(file: string): Promise<readonly EditedFile[]> {
    const kind = await this.#kindFor(file);
    const asked = { file, words: [], what: 'Organising imports' };
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    const params = {
      textDocument: this.#document(file),
      range,
      context: { diagnostics: [], only: [ORGANIZE], triggerKind: 1 },
    };
    const edited = await this.#bench.edited(kind, asked, async (server) => {
      const method = 'textDocument/codeAction';
      const actions = await this.#request<readonly CodeAction[] | null>(server, method, params);
      const action = actions?.find((one) => one.kind?.startsWith(ORGANIZE));
      if (!action || action.edit) return editsIn(action?.edit);
      const resolved = await this.#request<CodeAction>(server, 'codeAction/resolve', action);
      return editsIn(resolved.edit);
    });
    return edited.map(keepLineBreaks);
  }

  async referencesAfter(edits: EditsByFile, at: Place): Promise<readonly Place[]> {
    const kind = await this.#kindFor(at.file);
    return this.#bench.ask(kind, [at.file], async (server) => {
      const { documents } = server;
      const before = [...edits].map(([file, changes]) => {
        const { text } = textOf(file, this.#bench.read(file));
        const wasOpen = documents.has(file);
        documents.set(file, applyEdits(text, changes));
        return { file, text, wasOpen };
      });
      try {
        const context = { includeDeclaration: true };
        const params = { ...this.#position(at), context };
        const method = 'textDocument/references';
        return this.#places((await this.#request<Location[] | null>(server, method, params)) ?? []);
      } finally {
        for (const { file, text, wasOpen } of before)
          if (wasOpen) documents.set(file, text);
          else documents.close(file);
      }
    });
  }

  async #filesRenamed(
    kind: ServerKind,
    moves: readonly Move[],
    moved: readonly string[],
  ): Promise<readonly EditedFile[]> {
    const { uris } = this.#bench;
    // Asked about a file that it cannot read, TypeScript 7 ends.
    const isKnown = ({ from }: Move) => !moved.includes(from) || knows(kind, from);
    const told = moves.filter(isKnown);
    if (told.length === 0) return [];
    const asked = {
      file: moved.find((file) => understands(kind, file)),
      words: wordsOfMoves(moves),
      what: `Moving ${moves.map(({ from }) => from).join(', ')}`,
    };
    const files = moves.map(({ from, to }) => ({
      oldUri: uris.uriOf(from),
      newUri: uris.uriOf(to),
    }));
    const edited = await this.#bench.edited(kind, asked, async (server) => {
      if (!server.capabilities.workspace?.fileOperations?.willRename) return new Map();
      const method = 'workspace/willRenameFiles';
      const edit = await this.#request<WorkspaceEdit | null>(server, method, { files });
      return moveBack(editsIn(edit), files);
    });
    return edited.map(keepRelative);
  }

  /** Within a call, which server is asked about a kind of file does not change. */
  #kindFor(file: string): Promise<ServerKind> {
    const ending = path.extname(file);
    const kind = this.#kinds.get(ending) ?? this.#choice.kindFor(file, this.#asking);
    this.#kinds.set(ending, kind);
    return kind;
  }

  async #ask<Result>(file: string, method: string, params: object): Promise<Result> {
    const kind = await this.#kindFor(file);
    return this.#bench.ask(kind, [file], (server) => this.#request<Result>(server, method, params));
  }

  #request<Result>(server: LanguageServer, method: string, params: object): Promise<Result> {
    return server.request<Result>(method, params, this.#signal);
  }

  #document(file: string) {
    return { uri: this.#bench.uris.uriOf(file) };
  }

  #position({ file, range }: Place): DocumentPosition {
    return { textDocument: this.#document(file), position: range.start };
  }

  #places(locations: readonly Location[]): Place[] {
    return locations.flatMap(({ uri, range }) => {
      const file = this.#bench.uris.fileOf(uri);
      return file === undefined ? [] : [{ file, range }];
    });
  }
}

/** Who has called, and how long they wait. */
export interface Questions {
  readonly asking: Asking;
  readonly signal: AbortSignal;
}

function cannotRename(name: string, why: string): BatonError {
  return new BatonError(
    'cannot_rename',
    `${path.posix.basename(name)} cannot be renamed. ${why}`,
    'Choose another symbol, or name the file in which it is declared.',
  );
}
