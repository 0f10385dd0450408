import path from 'node:path';
import type { Connection } from './connection.ts';
import type { WorkspaceUris } from './workspace-uris.ts';

/** Beyond this, what was opened first is closed. */
const MOST_OPEN = 600;

interface Open {
  readonly uri: string;
  version: number;
  text: string;
}

/** The texts that a server has from us rather than from the disk. */
export class OpenDocuments {
  readonly #connection: Connection;
  readonly #uris: WorkspaceUris;
  readonly #languages: Readonly<Record<string, string>>;
  readonly #open = new Map<string, Open>();

  constructor(
    connection: Connection,
    uris: WorkspaceUris,
    languages: Readonly<Record<string, string>>,
  ) {
    this.#connection = connection;
    this.#uris = uris;
    this.#languages = languages;
  }

  get files(): readonly string[] {
    return [...this.#open.keys()];
  }

  has(file: string): boolean {
    return this.#open.has(file);
  }

  /** Opens it, or tells the server its text of now. */
  set(file: string, text: string): void {
    const open = this.#open.get(file);
    if (open?.text === text) return;
    if (open) {
      open.version += 1;
      open.text = text;
      this.#connection.notify('textDocument/didChange', {
        textDocument: { uri: open.uri, version: open.version },
        contentChanges: [{ text }],
      });
      return;
    }
    const uri = this.#uris.uriOf(file);
    const languageId = this.#languages[path.extname(file).toLowerCase()] ?? 'plaintext';
    this.#open.set(file, { uri, version: 1, text });
    this.#connection.notify('textDocument/didOpen', {
      textDocument: { uri, languageId, version: 1, text },
    });
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST_OPEN && oldest !== undefined) this.close(oldest);
  }

  close(file: string): void {
    const open = this.#open.get(file);
    if (!open) return;
    this.#open.delete(file);
    this.#connection.notify('textDocument/didClose', { textDocument: { uri: open.uri } });
  }
}
