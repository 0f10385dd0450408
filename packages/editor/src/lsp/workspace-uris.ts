import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { leadsOutOf } from '@baton/folders';

/** Translates between URIs of a server and paths in the workspace, with slashes. */
export class WorkspaceUris {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  uriOf(file: string): string {
    return pathToFileURL(path.join(this.#root, file)).href;
  }

  /** `undefined` if it is not in the workspace, where links lead. */
  fileOf(uri: string): string | undefined {
    let full: string;
    try {
      full = fileURLToPath(uri);
    } catch {
      return undefined; // Not of a file.
    }
    const real = realOr(full);
    if (leadsOutOf(this.#root, real)) return undefined;
    return path.relative(this.#root, real).split(path.sep).join('/');
  }
}

function realOr(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return file;
  }
}
