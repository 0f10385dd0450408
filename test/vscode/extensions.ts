import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { InstalledHost } from './install.ts';

export interface Folders {
  readonly data: string;
  readonly extensions: string;
}

/** Puts a folder where VS Code looks for extensions. Only before its first start. */
export function copyExtension(from: string, folders: Folders): string {
  const { publisher, name, version } = JSON.parse(
    readFileSync(path.join(from, 'package.json'), 'utf8'),
  );
  const folder = path.join(folders.extensions, `${publisher}.${name}-${version}`);
  cpSync(from, folder, { recursive: true });
  return folder;
}

/** Lets VS Code's own command install a .vsix file. */
export function installVsix(
  file: string,
  { node, server }: InstalledHost,
  folders: Folders,
  env: NodeJS.ProcessEnv,
): void {
  const places = ['--extensions-dir', folders.extensions, '--server-data-dir', folders.data];
  const args = [server, '--accept-server-license-terms', '--install-extension', file, ...places];
  const { status, stdout, stderr } = spawnSync(node, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} could not be installed: ${stdout}${stderr}`);
}

/** Lets the tests evaluate code in the extension hosts. */
export function copyProbe(folders: Folders, control: { port: number; secret: string }): void {
  const folder = copyExtension(path.join(import.meta.dirname, 'probe'), folders);
  const { port, secret } = control;
  writeFileSync(path.join(folder, 'control.json'), JSON.stringify({ port, secret }));
}
