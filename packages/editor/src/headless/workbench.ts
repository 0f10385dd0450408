import { setTimeout as later } from 'node:timers/promises';
import type { Log } from '@baton/core';
import { readBytesWithin } from '@baton/folders';
import type { TextEdit } from '../edits/text-edit.ts';
import { textOf } from '../edits/text-file.ts';
import { changedMeanwhile, outside, unreadable } from '../failures.ts';
import type { EditedFile } from '../language/language.ts';
import type { LanguageServer, ServerKind } from '../lsp/language-server.ts';
import { WorkspaceUris } from '../lsp/workspace-uris.ts';
import type { WorkspaceTree } from '../tree/workspace-tree.ts';
import { byFile } from './by-file.ts';
import { packagesStamp } from './packages-stamp.ts';
import { understands } from './server-choice.ts';
import { Servers } from './servers.ts';

const MOST_BYTES = 16 * 1024 * 1024;
/** Beyond this, files that only mention a name are not looked at one by one. */
const MOST_OPENED = 500;
const ATTEMPTS = 5;
/** Times of files have steps of this size: within one, a second change may go unnoticed. */
const CLOCK_TICK_MS = 60;
/** In the time in which a server takes over one file, it builds so many anew. */
const WORTH_OF_ONE = 100;
/** What programs have written; it follows from the sources. */
const GENERATED = /(^|\/)(dist|build|out|coverage|target|vendor)\//;

export interface WorkbenchOptions {
  readonly tree: WorkspaceTree;
  readonly log: Log;
  readonly idleMs?: number;
}

export interface Asked {
  /** Those that the server must have open. */
  readonly files: readonly string[];
  /** What every file mentions that may have to be edited. */
  readonly words: readonly string[];
  /** For people. */
  readonly what: string;
}

/** The edits of a server, by URI. */
export type UriEdits = ReadonlyMap<string, readonly TextEdit[]>;

/** Language servers that know the files as they are now. */
export class Workbench {
  readonly tree: WorkspaceTree;
  readonly uris: WorkspaceUris;
  readonly #servers: Servers;
  #packages: string | undefined;

  constructor({ tree, log, idleMs }: WorkbenchOptions) {
    this.tree = tree;
    this.uris = new WorkspaceUris(tree.root);
    this.#servers = new Servers({
      uris: this.uris,
      root: tree.root,
      log,
      ...(idleMs !== undefined && { idleMs }),
    });
    tree.onChanges = (changes) => this.#servers.tell(changes);
  }

  /** Asks a server that knows all files as they are now and has these ones open. */
  ask<Result>(
    kind: ServerKind,
    files: readonly string[],
    work: (server: LanguageServer) => Promise<Result>,
  ): Promise<Result> {
    this.#lookAtPackages();
    return this.#servers.use(kind, async (server) => {
      await this.#settle(server, files);
      return work(server);
    });
  }

  /**
   * Edits that fit the files as they are: if one is changed while they are computed, they are
   * computed again. `words` are what every file mentions that may have to be edited: one that no
   * project knows is opened, so that it is looked at, too.
   */
  edited(
    kind: ServerKind,
    { files, words, what }: Asked,
    ask: (server: LanguageServer) => Promise<UriEdits>,
  ): Promise<EditedFile[]> {
    this.#lookAtPackages();
    return this.#servers.use(kind, async (server) => {
      let changed: string[] = [];
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (attempt > 1) await later(CLOCK_TICK_MS);
        await this.#settle(server, files);
        const seen = await this.tree.look();
        const found = await this.#askAll(server, words, ask);
        const edited = byFile([...found].map(([uri, edits]) => this.#editedFile(uri, edits, what)));
        const now = await this.tree.look();
        changed = edited.map((one) => one.file).filter((one) => seen.get(one) !== now.get(one));
        if (changed.length === 0) return edited;
      }
      throw changedMeanwhile(changed);
    });
  }

  /**
   * Files are being changed: these, if nothing is moved. Servers look at that when it is done: it
   * takes them longer than most answers do, and who asks next would have to wait for it.
   */
  follow(changing: Promise<unknown>, files: readonly string[]): void {
    this.#servers.meanwhile(async (server) => {
      await changing.catch(() => {});
      await this.#tellOneByOne(server, files);
      await this.#settle(server, []);
      const recent = server.documents.files.at(-1);
      if (recent !== undefined) await server.catchUp(recent);
    });
  }

  /** What a file holds on disk. */
  read(file: string): Buffer {
    const known = this.tree.contents(file);
    if (known) return known;
    const read = readBytesWithin(this.tree.root, file, { maxBytes: MOST_BYTES });
    if ('problem' in read) throw unreadable(file, read, MOST_BYTES);
    return read.bytes;
  }

  end(): void {
    this.#servers.end();
  }

  /** What is installed is not followed file by file: a server that knew other packages is replaced. */
  #lookAtPackages(): void {
    const packages = packagesStamp(this.tree.root);
    if (this.#packages !== undefined && this.#packages !== packages) this.#servers.end();
    this.#packages = packages;
  }

  /** Of a single file that has changed, TypeScript does not build all anew. */
  async #tellOneByOne(server: LanguageServer, files: readonly string[]): Promise<void> {
    const all = await this.tree.look();
    if (files.length * WORTH_OF_ONE > all.size) return;
    for (const file of files) {
      if (!understands(server.kind, file)) continue;
      this.#open(server, file);
      await server.catchUp(file);
    }
  }

  async #settle(server: LanguageServer, files: readonly string[]): Promise<void> {
    await this.tree.look();
    server.deliver();
    for (const file of server.documents.files) this.#open(server, file);
    for (const file of files) this.#open(server, file, true);
  }

  #open(server: LanguageServer, file: string, isWanted = false): void {
    const contents = this.tree.contents(file) ?? (isWanted ? this.read(file) : undefined);
    if (contents) server.documents.set(file, textOf(file, contents).text);
    else server.documents.close(file);
  }

  async #askAll(
    server: LanguageServer,
    words: readonly string[],
    ask: (server: LanguageServer) => Promise<UriEdits>,
  ): Promise<UriEdits> {
    const [first, mentioning] = await Promise.all([ask(server), this.tree.filesWith(words)]);
    const known = new Set([...first.keys()].map((uri) => this.uris.fileOf(uri)));
    const unknown = mentioning
      .filter((file) => understands(server.kind, file) && !GENERATED.test(file))
      .filter((file) => !known.has(file) && !server.documents.has(file))
      .slice(0, MOST_OPENED);
    if (unknown.length === 0) return first;
    for (const file of unknown) this.#open(server, file);
    return ask(server);
  }

  #editedFile(uri: string, edits: readonly TextEdit[], what: string): EditedFile {
    const file = this.uris.fileOf(uri);
    if (file === undefined || /(^|\/)(node_modules|\.git)\//.test(file)) throw outside(what);
    return { file, contents: this.read(file), edits };
  }
}
