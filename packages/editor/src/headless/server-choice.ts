import path from 'node:path';
import { type Asking, BatonError } from '@baton/core';
import type { ServerKind } from '../lsp/language-server.ts';

/** Knows which language server understands which files. */
export interface ServerChoice {
  /** Throws `no_language_server` if none does. Asks a person before what a repository names runs. */
  kindFor(file: string, asking: Asking): Promise<ServerKind>;
  /** Those that understand some of these files; for `others`, only what may run already. */
  kindsFor(
    files: readonly string[],
    others: readonly string[],
    asking: Asking,
  ): Promise<readonly ServerKind[]>;
}

export function understands({ languages }: ServerKind, file: string): boolean {
  return path.extname(file).toLowerCase() in languages;
}

/** Whether files that it understands may refer to this one. */
export function knows(kind: ServerKind, file: string): boolean {
  return understands(kind, file) || path.extname(file).toLowerCase() === '.json';
}

export function noServer(file: string): BatonError {
  const ending = path.extname(file) || path.basename(file);
  return new BatonError(
    'no_language_server',
    `No language server is known here for ${ending} files.`,
    'Name one in languageServers of your config.yaml, or edit the file by hand.',
  );
}
