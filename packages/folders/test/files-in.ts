import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@baton/testkit';

export type Files = Readonly<Record<string, string | Uint8Array>>;

export interface TestFolder extends Disposable {
  readonly path: string;
  at(file: string): string;
  write(files: Files): void;
}

/** A folder of its own with files, and with the folders that they are in. */
export function folderWith(files: Files = {}): TestFolder {
  const { path: folder, [Symbol.dispose]: dispose } = temporaryFolder();
  const at = (file: string) => path.join(folder, file);
  const write = (all: Files) => {
    for (const [file, content] of Object.entries(all)) {
      mkdirSync(path.dirname(at(file)), { recursive: true });
      writeFileSync(at(file), content);
    }
  };
  write(files);
  return { path: folder, at, write, [Symbol.dispose]: dispose };
}
