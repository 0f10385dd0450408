import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BatonError } from '@baton/core';
import { sourceName, type TicketFolder } from '@baton/runtime';

/** A folder on the disk, which is made when it is missing. */
export function ticketFolder(workspace: string, folder: string): TicketFolder {
  return {
    async names() {
      try {
        mkdirSync(folder, { recursive: true });
        return markdownIn(folder);
      } catch (cause) {
        throw unwritable(folder, cause);
      }
    },
    read: async (name) => readFileSync(path.join(folder, name), 'utf8'),
    async write(name, text) {
      const temporary = path.join(folder, `.${name}.${process.pid}.tmp`);
      try {
        writeFileSync(temporary, text, { flag: 'wx' });
        renameSync(temporary, path.join(folder, name));
      } catch (cause) {
        rmSync(temporary, { force: true });
        throw unwritable(path.join(folder, name), cause);
      }
    },
    sourceOf(name) {
      const file = path.join(folder, name);
      return sourceName(workspace, file) ?? file;
    },
  };
}

/** Markdown files of a folder, by name. */
export function markdownIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && /^[^.].*\.md$/i.test(entry.name))
    .map(({ name }) => name)
    .sort();
}

function unwritable(file: string, cause: unknown): BatonError {
  const { code = 'unknown' } = cause as NodeJS.ErrnoException;
  return new BatonError(
    'file_unusable',
    `${file} cannot be written (${code}).`,
    'Name a folder that can be written.',
    { cause },
  );
}
