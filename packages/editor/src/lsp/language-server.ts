import type { Log } from '@baton/core';
import type { TreeChanges } from '../tree/workspace-tree.ts';
import { Connection } from './connection.ts';
import { OpenDocuments } from './open-documents.ts';
import { type ServerCapabilities, TOKEN_MODIFIERS, TOKEN_TYPES } from './protocol.ts';
import type { ServerCommand } from './server-process.ts';
import type { WorkspaceUris } from './workspace-uris.ts';

/** A kind of language server: how it is started, and what it is told. */
export interface ServerKind extends ServerCommand {
  /** What it understands: ids of languages by ending of files, with the dot. */
  readonly languages: Readonly<Record<string, string>>;
  /** Values of settings that it may ask for, by section. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly initializationOptions?: object;
}

/** Who asks next waits no longer than this for what nobody has asked for. */
const CATCH_UP_MS = 5000;
const CREATED = 1;
const CHANGED = 2;
const DELETED = 3;

const CAPABILITIES = {
  workspace: {
    configuration: true,
    // Else it would watch by itself, and nobody would know what it has noticed.
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    fileOperations: { willRename: true },
    workspaceEdit: { documentChanges: true },
  },
  textDocument: {
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['source.organizeImports'] } },
      resolveSupport: { properties: ['edit'] },
      dataSupport: true,
    },
    definition: { linkSupport: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    rename: { prepareSupport: true },
    semanticTokens: {
      requests: { full: true },
      formats: ['relative'],
      tokenTypes: TOKEN_TYPES,
      tokenModifiers: TOKEN_MODIFIERS,
    },
  },
  general: { positionEncodings: ['utf-16'] },
};

/** A language server that runs and has been told where it works. */
export class LanguageServer {
  readonly kind: ServerKind;
  readonly documents: OpenDocuments;
  readonly #connection: Connection;
  readonly #uris: WorkspaceUris;
  readonly #untold: { readonly uri: string; readonly type: number }[] = [];
  readonly capabilities: ServerCapabilities;

  private constructor(
    kind: ServerKind,
    connection: Connection,
    uris: WorkspaceUris,
    capabilities: ServerCapabilities,
  ) {
    this.kind = kind;
    this.#connection = connection;
    this.#uris = uris;
    this.capabilities = capabilities;
    this.documents = new OpenDocuments(connection, uris, kind.languages);
  }

  static async start(
    kind: ServerKind,
    { uris, root, log, onEnd }: ServerSurroundings,
  ): Promise<LanguageServer> {
    const started = performance.now();
    const answer = (method: string, params: unknown) => answerTo(kind, method, params);
    const connection = new Connection(kind, root, answer, onEnd);
    const folder = { uri: uris.uriOf(''), name: 'workspace' };
    const { capabilities } = await connection.request<{ capabilities: ServerCapabilities }>(
      'initialize',
      {
        processId: process.pid,
        clientInfo: { name: 'baton' },
        rootUri: folder.uri,
        workspaceFolders: [folder],
        capabilities: CAPABILITIES,
        initializationOptions: kind.initializationOptions,
      },
    );
    connection.notify('initialized', {});
    const took = Math.round(performance.now() - started);
    log.write('info', `${kind.name} runs (process ${connection.pid}, ${took} ms)`);
    return new LanguageServer(kind, connection, uris, capabilities);
  }

  request<Result>(method: string, params: unknown, signal?: AbortSignal): Promise<Result> {
    return this.#connection.request<Result>(method, params, { signal });
  }

  /** Has it look at all that it was told, as it otherwise does when it is asked. */
  async catchUp(file: string): Promise<void> {
    const textDocument = { uri: this.#uris.uriOf(file) };
    const params = { textDocument, position: { line: 0, character: 0 } };
    const asked = { signal: AbortSignal.timeout(CATCH_UP_MS), isAwaited: false };
    await this.#connection.request('textDocument/hover', params, asked).catch(() => {});
  }

  /** Files have changed on disk; it hears of that when `deliver` is called. */
  tell({ created, changed, deleted }: TreeChanges): void {
    const add = (files: readonly string[], type: number) => {
      for (const file of files) this.#untold.push({ uri: this.#uris.uriOf(file), type });
    };
    add(created, CREATED);
    add(changed, CHANGED);
    add(deleted, DELETED);
  }

  /** What is asked from now on is answered with all that was told. */
  deliver(): void {
    const changes = this.#untold.splice(0);
    if (changes.length > 0) this.#connection.notify('workspace/didChangeWatchedFiles', { changes });
  }

  end(): void {
    this.#connection.end();
  }
}

export interface ServerSurroundings {
  readonly uris: WorkspaceUris;
  /** The path of the workspace. */
  readonly root: string;
  readonly log: Log;
  /** It has ended, for whatever reason. */
  onEnd(): void;
}

function answerTo({ settings }: ServerKind, method: string, params: unknown): unknown {
  if (method !== 'workspace/configuration') return null;
  const { items = [] } = params as { items?: readonly { readonly section?: string }[] };
  return items.map(({ section = '' }) => settings[section] ?? null);
}
