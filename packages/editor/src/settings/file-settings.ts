import path from 'node:path';
import { BatonError, type Plain } from '@baton/core';
import { readBytesWithin, sentenceOf } from '@baton/folders';
import type { Changing } from '../edits/changing.ts';
import { contentsOf, textOf } from '../edits/text-file.ts';
import type { Scope, SettingsPort } from './settings-port.ts';
import { readSetting, writeSetting } from './settings-text.ts';

const MOST_BYTES = 4 * 1024 * 1024;
const ATTEMPTS = 3;

/** A settings.json, and who changes files in its folder. */
export interface SettingsFile {
  readonly folder: string;
  /** Its path there, with slashes. */
  readonly file: string;
  readonly changing: Changing;
}

/** Settings as VS Code keeps them in files. */
export class FileSettings implements SettingsPort {
  readonly #files: Readonly<Record<Scope, () => SettingsFile>>;

  constructor(files: Readonly<Record<Scope, () => SettingsFile>>) {
    this.#files = files;
  }

  async get(key: string, scope: Scope): Promise<Plain | undefined> {
    const place = this.#files[scope]();
    const contents = contentsIn(place);
    return contents && (readSetting(textOf(place.file, contents).text, key) as Plain | undefined);
  }

  async set(key: string, value: Plain | undefined, scope: Scope): Promise<void> {
    const place = this.#files[scope]();
    const { file, changing } = place;
    for (let attempt = 1; ; attempt++) {
      const before = contentsIn(place);
      const { mark, text } = before ? textOf(file, before) : { mark: '', text: '' };
      const after = contentsOf({ mark, text: writeSetting(text, key, value) });
      if (before ? before.equals(after) : value === undefined) return;
      try {
        const title = `setting_set ${key}`;
        const writes = [{ file, before, after }];
        await changing.apply({ title, writes, moves: [], permits: file });
        return;
      } catch (error) {
        const isPassing = error instanceof BatonError && error.code === 'files_changed';
        if (!isPassing || attempt === ATTEMPTS) throw error;
      }
    }
  }
}

function contentsIn({ folder, file }: SettingsFile): Buffer | undefined {
  const read = readBytesWithin(folder, file, { maxBytes: MOST_BYTES });
  if (!('problem' in read)) return read.bytes;
  if (read.problem === 'missing') return undefined;
  throw new BatonError(
    'settings_unreadable',
    `${path.join(folder, file)} cannot be used. ${sentenceOf(read, MOST_BYTES)}`,
    'Put the file right, or set it by hand.',
  );
}
