import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { BatonError } from '@baton/core';
import { createFakeClock, createMemoryLog, temporaryFolder } from '@baton/testkit';
import {
  type Change,
  DiskChanges,
  type DiskChangesOptions,
  type FileWrite,
  type Move,
} from '../disk-under-test.ts';

export type Contents = Readonly<Record<string, string | Uint8Array>>;

/** A workspace with files, a folder for journals, and a folder that is outside of both. */
export class TestDisk implements Disposable {
  readonly clock = createFakeClock();
  readonly log = createMemoryLog();
  readonly ground: string;
  readonly workspace: string;
  readonly folder: string;
  readonly outside: string;
  readonly #temporary = temporaryFolder();

  constructor(files: Contents = {}) {
    this.ground = this.#temporary.path;
    this.workspace = path.join(this.ground, 'workspace');
    this.folder = path.join(this.ground, 'state', 'changes');
    this.outside = path.join(this.ground, 'outside');
    for (const folder of [this.workspace, this.outside]) mkdirSync(folder);
    this.write(files);
  }

  at(file: string): string {
    return path.join(this.workspace, file);
  }

  write(files: Contents): void {
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(path.dirname(this.at(file)), { recursive: true });
      writeFileSync(this.at(file), content);
    }
  }

  read(file: string): string {
    return readFileSync(this.at(file), 'utf8');
  }

  changes(options: Partial<DiskChangesOptions> = {}): DiskChanges {
    return new DiskChanges({
      workspace: this.workspace,
      folder: this.folder,
      exclusively: (work) => work(),
      clock: this.clock,
      ids: { next: () => crypto.randomUUID() },
      log: this.log,
      ...options,
    });
  }

  /** All that is in the workspace: contents of files, `null` for folders. */
  tree(): Record<string, string | null> {
    return treeOf(this.workspace);
  }

  /** Names in the folder of journals without the ids. */
  stages(): string[] {
    if (!existsSync(this.folder)) return [];
    return readdirSync(this.folder)
      .map((name) => path.extname(name))
      .sort();
  }

  [Symbol.dispose](): void {
    this.#temporary[Symbol.dispose]();
  }
}

export function treeOf(root: string): Record<string, string | null> {
  const names = readdirSync(root, { recursive: true }) as string[];
  const contentOf = (file: string) => {
    const stat = lstatSync(file);
    if (stat.isSymbolicLink()) return `→ ${readlinkSync(file)}`;
    return stat.isFile() ? readFileSync(file, 'latin1') : null;
  };
  return Object.fromEntries(names.sort().map((name) => [name, contentOf(path.join(root, name))]));
}

export function write(file: string, before: string | undefined, after?: string): FileWrite {
  const bytes = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text));
  return { file, before: bytes(before), after: bytes(after) };
}

export function change(writes: readonly FileWrite[], moves: readonly Move[] = []): Change {
  return { title: 'rename_symbol total → sum', writes, moves };
}

/** The error that a caller is meant to see; anything else is thrown on. */
export async function refusalOf(work: Promise<unknown>): Promise<BatonError> {
  const error = await work.then(
    () => new Error('it was not refused'),
    (reason: unknown) => reason,
  );
  if (error instanceof BatonError) return error;
  throw error;
}
