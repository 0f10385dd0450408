import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { ServerKind } from './language-server.ts';

/** The first TypeScript that has a language server in it. */
const FIRST_MAJOR = 7;

export interface InstalledTypeScript {
  readonly version: string;
  /** The folder of its package. */
  readonly folder: string;
  readonly executable: string;
}

/** The TypeScript that a file would import, if it has a language server for this machine. */
export function findTypeScript(from: string): InstalledTypeScript | undefined {
  try {
    const manifest = createRequire(from).resolve('typescript/package.json');
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
    if (!(Number.parseInt(version, 10) >= FIRST_MAJOR)) return undefined;
    const platform = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
    const native = createRequire(manifest).resolve(platform);
    const program = process.platform === 'win32' ? 'tsc.exe' : 'tsc';
    const executable = path.join(path.dirname(native), 'lib', program);
    return { version, folder: path.dirname(manifest), executable };
  } catch {
    return undefined; // Not installed, or not for this machine.
  }
}

const LANGUAGES = {
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.cts': 'typescript',
  '.tsx': 'typescriptreact',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
  '.jsx': 'javascriptreact',
};

/** It must not fetch types for JavaScript from a registry; without PATH it could not, either. */
const SETTINGS = {
  disableAutomaticTypeAcquisition: true,
  tsserver: { automaticTypeAcquisition: { enabled: false } },
  preferences: { useAliasesForRenames: true },
};

export function typeScriptServer({ version, executable }: InstalledTypeScript): ServerKind {
  return {
    name: `TypeScript ${version}`,
    executable,
    args: ['--lsp', '--stdio'],
    passedOn: ['HOME', 'LANG', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'USERPROFILE'],
    languages: LANGUAGES,
    settings: { typescript: SETTINGS, javascript: SETTINGS, 'js/ts': SETTINGS },
    initializationOptions: { disablePushDiagnostics: true },
  };
}

export function isTypeScriptFile(file: string): boolean {
  return path.extname(file).toLowerCase() in LANGUAGES;
}
