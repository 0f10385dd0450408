import type { Plain } from '@baton/core';
import type { Change, Changing, Contents } from '../edits/changing.ts';
import type { Language } from '../language/language.ts';
import type { Scope, SettingsPort } from '../settings/settings-port.ts';
import type { WorkspaceTree } from '../tree/workspace-tree.ts';
import { LinkClient } from './link-client.ts';
import type { LinkAddress } from './messages.ts';
import { RemoteLanguage } from './remote-language.ts';

/** The editor that has started this process, instead of language servers and the disk. */
export class RemoteEditor {
  readonly #client: LinkClient;
  readonly #tree: WorkspaceTree;
  readonly changing: Changing;
  readonly settings: SettingsPort;

  constructor(address: LinkAddress, tree: WorkspaceTree) {
    this.#client = new LinkClient(address, tree.root);
    this.#tree = tree;
    this.changing = new RemoteChanges(this.#client);
    this.settings = new RemoteSettings(this.#client);
  }

  language(signal: AbortSignal): Language {
    return new RemoteLanguage(this.#client, this.#tree, signal);
  }
}

class RemoteChanges implements Changing {
  readonly #client: LinkClient;
  readonly #unsaved = new Map<string, readonly string[]>();

  constructor(client: LinkClient) {
    this.#client = client;
  }

  async apply({ title, writes, moves }: Change): Promise<string> {
    const { undo, unsaved } = await this.#client.ask('apply', {
      title,
      moves,
      writes: writes.map(({ file, before, after, edits }) => ({
        file,
        before: textOf(before),
        after: textOf(after),
        edits,
      })),
    });
    if (unsaved.length > 0) this.#unsaved.set(undo, unsaved);
    return undo;
  }

  async undo(id: string): Promise<Change> {
    const { title, writes, moves } = await this.#client.ask('undo', { id });
    return {
      title,
      moves,
      writes: writes.map(({ file, before, after }) => ({
        file,
        before: Buffer.from(before, 'utf8'),
        after: Buffer.from(after, 'utf8'),
      })),
    };
  }

  unsavedBy(id: string): readonly string[] {
    const unsaved = this.#unsaved.get(id) ?? [];
    this.#unsaved.delete(id);
    return unsaved;
  }
}

class RemoteSettings implements SettingsPort {
  readonly #client: LinkClient;

  constructor(client: LinkClient) {
    this.#client = client;
  }

  get(key: string, scope: Scope): Promise<Plain | undefined> {
    return this.#client.ask('settingGet', { key, scope });
  }

  set(key: string, value: Plain | undefined, scope: Scope): Promise<void> {
    return this.#client.ask('settingSet', { key, value, scope });
  }

  fallback(key: string): Promise<Plain | undefined> {
    return this.#client.ask('settingGet', { key, scope: 'default' });
  }
}

/** No tool makes or removes files. */
function textOf(contents: Contents): string {
  if (!contents) throw new TypeError('an editor is asked to make or remove a file');
  return contents.toString('utf8');
}
