import path from 'node:path';
import { type Asking, BatonError } from '@baton/core';
import { applyEdits, textIn } from '../edits/apply-edits.ts';
import type { Move } from '../edits/changing.ts';
import type { EditsByFile, Range } from '../edits/text-edit.ts';
import { textOf } from '../edits/text-file.ts';
import { cannotOrganize } from '../failures.ts';
import type {
  Declaration,
  EditedFile,
  FollowingEdits,
  Language,
  Place,
  Token,
} from '../language/language.ts';
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
import { isTypeScriptFile } from '../lsp/typescript-server.ts';
import { keepLineBreaks } from './line-breaks.ts';
import { keepRelative, moveBack, movedFiles, wordsOfMoves } from './moves.ts';
import { importPlaces, moduleEdits, moduleRename } from './python-modules.ts';
import { knows, type ServerChoice, understands } from './server-choice.ts';
import type { Workbench } from './workbench.ts';

const ORGANIZE = 'source.organizeImports';
/** Beyond this, imports of a module are not looked at one by one. */
const MAX_MENTIONING = 500;

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
    const kind = await this.#kindFor(place.file);
    const all = await this.#bench.ask(kind, [place.file], (server) =>
      this.#definitions(server, this.#position(place)),
    );
    return this.#places(
      all.map((one) =>
        'uri' in one ? one : { uri: one.targetUri, range: one.targetSelectionRange },
      ),
    );
  }

  async rename(at: Place, newName: string): Promise<readonly EditedFile[]> {
    const kind = await this.#kindFor(at.file);
    const old = textIn(textOf(at.file, await this.read(at.file)).text, at.range);
    const asked = { files: [at.file], words: [old], what: `Renaming ${old}` };
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

  async renameFiles(moves: readonly Move[]): Promise<FollowingEdits> {
    const files = [...(await this.#bench.tree.look()).keys()];
    const moved = movedFiles(moves, files);
    const concerned = await this.#choice.kindsFor(moved, files, this.#asking);
    const edited: EditedFile[] = [];
    const answering: ServerKind[] = [];
    let why: string | undefined;
    for (const kind of concerned) {
      const renamed =
        (await this.#filesRenamed(kind, moves, moved)) ?? (await this.#moduleRenamed(kind, moves));
      if (renamed) edited.push(...renamed);
      if (renamed) answering.push(kind);
      else if (moved.some((file) => understands(kind, file))) why = cannotSay(kind);
    }
    const isKnown = (file: string) => answering.some((kind) => understands(kind, file));
    return { edited, isKnown, why };
  }

  async organizeImports(file: string): Promise<readonly EditedFile[]> {
    const kind = await this.#kindFor(file);
    const asked = { files: [file], words: [], what: 'Organising imports' };
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
      // TypeScript has nothing to offer where all is in order.
      if (!action && isTypeScriptFile(file)) return new Map();
      const edit = action && (action.edit ?? (await this.#resolved(server, action)).edit);
      if (!edit) throw cannotOrganize(file, kind.name);
      return editsIn(edit);
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

  /** `undefined` if the server does not say what refers to files. */
  async #filesRenamed(
    kind: ServerKind,
    moves: readonly Move[],
    moved: readonly string[],
  ): Promise<readonly EditedFile[] | undefined> {
    const { uris } = this.#bench;
    // Asked about a file that it cannot read, TypeScript 7 ends.
    const isKnown = ({ from }: Move) => !moved.includes(from) || knows(kind, from);
    const told = moves.filter(isKnown);
    if (told.length === 0) return [];
    const asked = {
      files: moved.filter((file) => understands(kind, file)).slice(0, 1),
      words: wordsOfMoves(moves),
      what: `Moving ${moves.map(({ from }) => from).join(', ')}`,
    };
    const files = moves.map(({ from, to }) => ({
      oldUri: uris.uriOf(from),
      newUri: uris.uriOf(to),
    }));
    let isSaid = true;
    const edited = await this.#bench.edited(kind, asked, async (server) => {
      isSaid = Boolean(server.capabilities.workspace?.fileOperations?.willRename);
      if (!isSaid) return new Map();
      const method = 'workspace/willRenameFiles';
      const edit = await this.#request<WorkspaceEdit | null>(server, method, { files });
      return moveBack(editsIn(edit), files);
    });
    return isSaid ? edited.map(keepRelative) : undefined;
  }

  /** The same by references, for Python; `undefined` if that does not tell enough. */
  async #moduleRenamed(
    kind: ServerKind,
    [move, ...more]: readonly Move[],
  ): Promise<readonly EditedFile[] | undefined> {
    const { tree, uris } = this.#bench;
    const all = await tree.look();
    const rename = move && more.length === 0 && moduleRename(move, (file) => all.has(file));
    if (!rename || !understands(kind, rename.file)) return undefined;
    const files = (await tree.filesWith([rename.name])).filter((file) => understands(kind, file));
    if (files.length > MAX_MENTIONING) return undefined;
    // What is imported by the new name already would be found at the new place, or beside it.
    const isTaken = (await tree.filesWith([rename.newName])).some(
      (file) =>
        understands(kind, file) && importPlaces(this.#textOf(file), rename.newName).length > 0,
    );
    if (isTaken) return undefined;
    let isSaid = true;
    const asked = { files, words: [], what: `Moving ${move.from}` };
    const edited = await this.#bench.edited(kind, asked, async (server) => {
      const at = (file: string, range: Range) => this.#position({ file, range });
      const edits = await moduleEdits(
        {
          texts: new Map(files.map((file) => [file, this.#textOf(file)])),
          definitions: (file, range) => this.#definitions(server, at(file, range)),
          references: async (file, range) => {
            const params = { ...at(file, range), context: { includeDeclaration: true } };
            const method = 'textDocument/references';
            return (await this.#request<Location[] | null>(server, method, params)) ?? [];
          },
          uriOf: (file) => uris.uriOf(file),
          fileOf: (uri) => uris.fileOf(uri),
        },
        rename,
      );
      isSaid = edits !== undefined;
      return edits ?? new Map();
    });
    return isSaid ? edited : undefined;
  }

  #textOf(file: string): string {
    return textOf(file, this.#bench.read(file)).text;
  }

  async #definitions(
    server: LanguageServer,
    at: DocumentPosition,
  ): Promise<readonly (Location | LocationLink)[]> {
    const method = 'textDocument/definition';
    type Definitions = Location | readonly (Location | LocationLink)[] | null;
    const found = await this.#request<Definitions>(server, method, at);
    if (found === null) return [];
    return 'uri' in found ? [found] : found;
  }

  #resolved(server: LanguageServer, action: CodeAction): Promise<CodeAction> {
    return this.#request<CodeAction>(server, 'codeAction/resolve', action).catch(
      (error: unknown) => {
        if (error instanceof ServerRefusal) return action; // What it offers is no edit.
        throw error;
      },
    );
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

function cannotSay({ name }: ServerKind): string {
  return `${name} does not say what such a move needs: it knows no imports by file, or not all of them, or the new name is taken where it would be imported.`;
}

function cannotRename(name: string, why: string): BatonError {
  return new BatonError(
    'cannot_rename',
    `${path.posix.basename(name)} cannot be renamed. ${why}`,
    'Choose another symbol, or name the file in which it is declared.',
  );
}
